import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { createSiteServer, handleOneAtATime } from './http-server.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** Starts a server on a real port and records its requests. */
async function serve(listener: RequestListener) {
  const paths: string[] = [];
  const server = createSiteServer().on(
    'request',
    handleOneAtATime((request, response) => {
      paths.push(request.url ?? '');
      listener(request, response);
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => server.closeAllConnections());
  stops.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const open = () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    stops.push(() => socket.destroy());
    return socket;
  };
  return { paths, open };
}

const requests = (count: number, last = '') =>
  Array.from(
    { length: count },
    (_, n) => `GET /${n} HTTP/1.1\r\nHost: site\r\n${n === count - 1 ? last : ''}\r\n`,
  ).join('');

test('Pipelined requests are processed one at a time, in order', async () => {
  const finishers: (() => void)[] = [];
  const { paths, open } = await serve((request, response) => finishers.push(() => response.end(`page ${request.url}`)));
  const socket = open();
  const received = text(socket);
  socket.write(requests(10, 'Connection: close\r\n'));
  for (let n = 0; n < 10; n++) {
    await expect.poll(() => finishers.length).toBe(n + 1);
    expect(paths).toHaveLength(n + 1);
    finishers[n]?.();
  }
  expect([...(await received).matchAll(/page \/\d/g)].join()).toBe(
    Array.from({ length: 10 }, (_, n) => `page /${n}`).join(),
  );
});

test('A connection with hundreds of pipelined requests is closed after the first request has started', async () => {
  let hasClosed = false;
  const { paths, open } = await serve((_request, response) => {
    response.once('close', () => {
      hasClosed = true;
    });
  });
  const socket = open();
  socket.write(requests(750));
  await once(socket, 'close');
  await expect.poll(() => hasClosed).toBe(true);
  expect(paths).toEqual(['/0']);
});

test('A slow connection does not delay others', async () => {
  const { open } = await serve((request, response) => {
    if (request.headers.host === 'site') response.end('here');
  });
  open().write(requests(1).replace('site', 'slow'));
  const socket = open();
  const received = text(socket);
  socket.write(requests(2, 'Connection: close\r\n'));
  expect([...(await received).matchAll(/here/g)]).toHaveLength(2);
});

test('A request whose headers exceed the size limit is rejected', async () => {
  const { paths, open } = await serve((_request, response) => response.end());
  const socket = open();
  const received = text(socket);
  socket.write(`GET / HTTP/1.1\r\nHost: site\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`);
  expect(await received).toContain('431');
  expect(paths).toEqual([]);
});
