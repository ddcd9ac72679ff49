import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { openListeningSockets, portOf } from './listening-sockets.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** Opens the listening sockets of a server that responds with its name. */
async function open(name: string, PORT = 0) {
  const server = createServer((_request, response) => response.end(name));
  const servers = await openListeningSockets(server, { PORT, HOST: '127.0.0.1' });
  stops.push(() => {
    for (const socket of servers) socket.close();
  });
  return { port: portOf(server), servers };
}

async function fetchBody(port: number): Promise<string> {
  const [response] = (await once(get({ port, host: '127.0.0.1', agent: false }), 'response')) as [IncomingMessage];
  return (await buffer(response)).toString();
}

test('The server answers connections on each of its sockets', async () => {
  const { port } = await open('site');
  const bodies = await Promise.all(Array.from({ length: 200 }, () => fetchBody(port)));
  expect(new Set(bodies)).toEqual(new Set(['site']));
});

test('A port that another server uses is rejected, even if that server shares the port', async () => {
  const { port, servers } = await open('site');
  await expect(open('other', port)).rejects.toMatchObject({ code: 'EADDRINUSE', syscall: 'listen', port });
  for (let n = 0; n < 50; n++) expect(await fetchBody(port)).toBe('site');
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  await open('other', port);
  expect(await fetchBody(port)).toBe('other');
});
