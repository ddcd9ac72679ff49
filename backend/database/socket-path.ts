import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Longer socket paths are refused by the operating system (108 bytes on Linux, 104 elsewhere). */
const MAX_SOCKET_PATH = 100;

/**
 * Returns a path by which the socket of that name in the folder can be listened on or connected to: a long folder name
 * is reached through a short symbolic link, which `cleanUp` removes.
 */
export async function socketPath(
  folder: string,
  name: string,
): Promise<{ path: string; cleanUp: () => Promise<void> }> {
  const direct = join(folder, name);
  if (Buffer.byteLength(direct) <= MAX_SOCKET_PATH) return { path: direct, cleanUp: async () => undefined };
  const short = await mkdtemp(join(tmpdir(), 'sf-'));
  await symlink(folder, join(short, 'd'));
  return { path: join(short, 'd', name), cleanUp: () => rm(short, { recursive: true, force: true }) };
}
