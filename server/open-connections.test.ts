import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { OpenConnections } from './open-connections.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0).reverse()) stop();
});

/** Starts a server with connection limits, except for a proxy at 127.0.0.9. */
async function serve() {
  const connections = new OpenConnections((address) => address === '127.0.0.9');
  // Idle connections stay open, even if many are opened on a busy machine.
  const server = createServer({ keepAliveTimeout: 600_000 }, (_request, response) => response.end('here'));
  connections.watch(server);
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 });
  await once(server, 'listening');
  stops.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  const { port } = server.address() as AddressInfo;
  const open = (localAddress: string) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.on('error', () => undefined);
    stops.push(() => socket.destroy());
    return socket;
  };
  const openMany = (count: number, address: string) => Array.from({ length: count }, () => open(address));
  return { connections, open, openMany };
}

/** Sends a request and checks for a response. */
async function isAnswered(socket: Socket): Promise<boolean> {
  socket.write('GET / HTTP/1.1\r\nHost: site\r\n\r\n');
  return new Promise((resolve) => {
    socket.once('data', (data) => resolve(data.toString().includes('here')));
    socket.once('close', () => resolve(false));
  });
}

test('512 connections from one address are served, and further connections are rejected without affecting other addresses', async () => {
  const { connections, open, openMany } = await serve();
  const office = openMany(512, '127.0.0.1');
  expect(await Promise.all(office.map(isAnswered))).not.toContain(false);
  const furtherSockets = openMany(300, '127.0.0.1');
  expect(await Promise.all(furtherSockets.map(isAnswered))).not.toContain(true);
  expect(connections.stats()).toEqual({ open: 512, refused: 300 });
  expect(await isAnswered(open('127.0.0.2'))).toBe(true);
  office[0]?.destroy();
  await expect.poll(() => connections.stats().open).toBe(512);
  expect(await isAnswered(open('127.0.0.1'))).toBe(true);
});

test('Addresses of one /24 share a limit, and trusted proxies have no limit', async () => {
  const { connections, open, openMany } = await serve();
  for (const address of ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4']) {
    expect(await Promise.all(openMany(512, address).map(isAnswered))).not.toContain(false);
  }
  expect(await isAnswered(open('127.0.0.5'))).toBe(false);
  expect(await isAnswered(open('127.0.1.5'))).toBe(true);
  expect(await Promise.all(openMany(600, '127.0.0.9').map(isAnswered))).not.toContain(false);
  expect(connections.stats()).toEqual({ open: 2649, refused: 1 });
});
