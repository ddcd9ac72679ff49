/**
 * Opens the site's port with many listening sockets. Node accepts one connection per listening socket in each event
 * loop iteration, so under load a new visitor would wait for a thousand iterations. With SO_REUSEPORT the kernel
 * distributes connections over the sockets.
 */

import type { Server } from 'node:http';
import { createServer, type Server as NetServer } from 'node:net';
import type { Config } from '@signalfjord/backend';

const SOCKETS = 64;

/**
 * Backlog of each socket. The client retries connections beyond it after 1, 2 and 4 seconds. On an overloaded machine,
 * a longer backlog would delay clients even more.
 */
const MAX_UNACCEPTED = 32;

/** Starts listening. @returns all listening servers @throws NodeJS.ErrnoException if the port is not available */
export async function openListeningSockets(
  server: Server,
  { PORT, HOST }: Pick<Config, 'PORT' | 'HOST'>,
): Promise<NetServer[]> {
  // SO_REUSEPORT would also share the port with another server of the same user, so check first that the port is free.
  const probe = createServer();
  await listen(probe, { port: PORT, host: HOST });
  const port = portOf(probe);
  const options = { port, host: HOST, backlog: MAX_UNACCEPTED, reusePort: true };
  await new Promise((resolve) => probe.close(resolve));
  try {
    await listen(server, options);
  } catch (error) {
    // SO_REUSEPORT is not supported on this system: listen with one socket.
    if (!isUnsupported(error)) throw error;
    await listen(server, { port, host: HOST });
    return [server];
  }
  const additional = Array.from({ length: SOCKETS - 1 }, () => createServer({ allowHalfOpen: true, noDelay: true }));
  for (const socketServer of additional) socketServer.on('connection', (socket) => server.emit('connection', socket));
  await Promise.all(additional.map((socketServer) => listen(socketServer, options)));
  return [server, ...additional];
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

/** Detects a system without SO_REUSEPORT: libuv returns ENOTSUP, an old kernel ENOPROTOOPT. */
function isUnsupported(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOTSUP' || error.code === 'ENOPROTOOPT');
}
