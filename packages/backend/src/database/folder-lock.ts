/**
 * Allows one process per data folder. The lock is a listening socket, which closes with the process. Unlike a process id,
 * it also works between containers.
 */
import { unlink } from 'node:fs/promises';
import { createConnection, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { OperatorError } from './operator-error.ts';

/** Thrown if another process holds the lock. */
export class FolderLockedError extends OperatorError {}

/**
 * Locks an existing folder.
 * @returns a function that unlocks it
 * @throws FolderLockedError
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, 'lock.sock');
  const server = await listen(path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    if (await isListening(path)) {
      throw new FolderLockedError(`${folder} is in use by another process. Stop it or set DATA_DIR to another folder.`);
    }
    await unlink(path);
    return listen(path);
  });
  return async () => {
    await new Promise((resolve) => server.close(resolve));
  };
}

function listen(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.end());
    server.once('error', reject);
    // Restrict access from the start, so that other users cannot connect.
    const umask = process.umask(0o177);
    server.listen(path, () => {
      server.unref();
      resolve(server);
    });
    process.umask(umask);
  });
}

function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
