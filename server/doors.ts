/**
 * Opens the port of the site with many sockets that listen at it. In each round of its loop Node accepts one connection of
 * a socket that listens, however many wait: behind a crowd that comes again and again a visitor waited for a thousand
 * rounds. The system spreads the connections over the sockets.
 */

import type { Server } from 'node:http';
import { createServer, type Server as NetServer } from 'node:net';
import type { Config } from '@signalfjord/backend';

const DOORS = 64;

/**
 * Connections that the system completes at each before this process has accepted them. Of more the rest would try again
 * after one, two and four seconds, and so would a visitor who comes at that moment; but on a machine that has no time for
 * us, whoever stands behind more waits longer than that.
 */
const MAX_UNACCEPTED = 32;

/** @returns all servers that listen now @throws NodeJS.ErrnoException when the port cannot be had */
export async function openDoors(server: Server, { PORT, HOST }: Pick<Config, 'PORT' | 'HOST'>): Promise<NetServer[]> {
  // Sockets that share a port share it with another server of the same user as well, which must be told of the other.
  const alone = createServer();
  await listen(alone, { port: PORT, host: HOST });
  const port = portOf(alone);
  const shared = { port, host: HOST, backlog: MAX_UNACCEPTED, reusePort: true };
  await new Promise((resolve) => alone.close(resolve));
  try {
    await listen(server, shared);
  } catch (error) {
    // Only some systems spread connections: elsewhere there is one door.
    if (!isUnsupported(error)) throw error;
    await listen(server, { port, host: HOST });
    return [server];
  }
  const others = Array.from({ length: DOORS - 1 }, () => createServer({ allowHalfOpen: true, noDelay: true }));
  for (const other of others) other.on('connection', (socket) => server.emit('connection', socket));
  await Promise.all(others.map((other) => listen(other, shared)));
  return [server, ...others];
}

export function portOf(server: NetServer): number {
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

function listen(server: NetServer, options: Parameters<NetServer['listen']>[0]): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}

/** Recognizes a system without SO_REUSEPORT: libuv's own answer where there is none, and a kernel's that never heard of it. */
function isUnsupported(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOTSUP' || error.code === 'ENOPROTOOPT');
}
