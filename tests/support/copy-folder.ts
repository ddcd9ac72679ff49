import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Copies the contents of a folder with their modes. Node's `cp` takes twice as long or loses the modes of folders. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await promisify(execFile)('cp', ['-Rp', `${from}/.`, to]);
}
