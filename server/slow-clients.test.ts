import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { MemoryBudget } from '@signalfjord/backend';
import { afterEach, describe, expect, test } from 'vitest';
import { createSlowClients } from './slow-clients.ts';

const MEGABYTE = 1024 * 1024;

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0).reverse()) stop();
});

/** Starts a server that ends slow clients, on a clock advanced by `pass`. */
async function serve(listener: RequestListener) {
  let now = 0;
  const memory = new MemoryBudget(() => now);
  const clients = createSlowClients({ memory, clientAddressOf: () => '192.0.2.1', now: () => now });
  const exchanges: { request: IncomingMessage; response: ServerResponse }[] = [];
  const server = createServer((request, response) => {
    exchanges.push({ request, response });
    clients.watch(listener)(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(
    () => server.close(),
    () => clients.close(),
  );
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return {
    memory,
    pass(seconds: number) {
      clients.check();
      now += seconds * 1000;
      clients.check();
    },
    /** Opens a connection, sends `text` and records the received data. */
    async open(text: string) {
      const before = exchanges.length;
      const socket = connect(port, '127.0.0.1');
      stops.push(() => socket.destroy());
      const chunks: Buffer[] = [];
      socket.on('data', (chunk: Buffer) => chunks.push(chunk));
      socket.on('error', () => undefined);
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      socket.write(text);
      const received = () => Buffer.concat(chunks).toString();
      const bytes = () => chunks.reduce((sum, { length }) => sum + length, 0);
      await waitUntil(() => exchanges.length > before);
      const { request, response } = exchanges[before] ?? {};
      if (!request || !response) throw new Error('There was no request');
      return { socket, closed, received, bytes, request, response };
    },
  };
}

/** Waits for a condition, up to the timeout of the test. */
async function waitUntil(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
}

const post = (length: number) => `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n`;
const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

const echo: RequestListener = async (request, response) => {
  let bytes = 0;
  try {
    for await (const chunk of request) bytes += (chunk as Buffer).length;
    response.end(`${bytes} bytes`);
  } catch {
    // The connection is closed.
  }
};

describe('Request bodies', () => {
  test('A request whose body lacks its last byte gets a 408 response after ten seconds, and the connection is closed', async () => {
    const { memory, open, pass } = await serve(echo);
    const { closed, received, socket } = await open(`${post(10)}123456789`);
    pass(9.9);
    expect(socket.closed).toBe(false);
    pass(0.1);
    await closed;
    expect(received()).toMatch(/^HTTP\/1.1 408 /);
    expect(memory.stats().ended.body.late).toBe(1);
  });

  test('A request body that arrives byte by byte gets a 408 response', async () => {
    const { open, pass } = await serve(echo);
    const { socket, closed, received, request } = await open(post(1000));
    for (let n = 1; n <= 10; n++) {
      const before = request.socket.bytesRead;
      socket.write('x');
      await waitUntil(() => request.socket.bytesRead > before);
      pass(1);
    }
    await closed;
    expect(received()).toMatch(/^HTTP\/1.1 408 /);
  });

  test('A body that arrives at 64 kB per ten seconds is accepted, regardless of its total time', async () => {
    const { memory, open, pass } = await serve(echo);
    const { socket, received, request } = await open(post(16 * 0x10000));
    for (let n = 1; n <= 16; n++) {
      const before = request.socket.bytesRead;
      socket.write('x'.repeat(0x10000));
      await waitUntil(() => request.socket.bytesRead === before + 0x10000);
      pass(9);
    }
    await waitUntil(() => received().includes('1048576 bytes'));
    expect(memory.stats().ended.body.late).toBe(0);
  });

  test('A request body does not time out while the server is not reading it', async () => {
    const mayRead = Promise.withResolvers<void>();
    const { open, pass } = await serve(async (request, response) => {
      await mayRead.promise;
      echo(request, response);
    });
    const { received, request } = await open(post(MEGABYTE) + 'x'.repeat(MEGABYTE));
    await waitUntil(() => request.readableLength >= request.readableHighWaterMark);
    for (let n = 0; n < 10; n++) pass(9);
    mayRead.resolve();
    await waitUntil(() => received().includes('1048576 bytes'));
  });
});

describe('Responses', () => {
  const chunk = Buffer.alloc(MEGABYTE / 4, 'x');
  const sendLarge: RequestListener = (_request, response) => {
    for (let n = 0; n < 80; n++) response.write(chunk);
    response.end();
  };

  test('An unread response is counted, and its connection is closed after ten seconds', async () => {
    const { memory, open, pass } = await serve(sendLarge);
    const { socket, closed, bytes, request } = await open(GET);
    socket.pause();
    // The first bytes go into socket buffers.
    for (let n = 0; n < 5; n++) await new Promise((resolve) => setImmediate(resolve));
    pass(1);
    expect(memory.stats().bytes.answer).toBeGreaterThan(MEGABYTE);
    await waitUntil(() => {
      pass(5);
      return request.socket.destroyed;
    });
    pass(0);
    expect(memory.stats()).toMatchObject({ bytes: { answer: 0 }, ended: { answer: { late: 1 } } });
    socket.resume();
    await closed;
    expect(bytes()).toBeLessThan(20 * MEGABYTE);
  });

  test('A response that is read slowly arrives complete', async () => {
    const { memory, open, pass } = await serve(sendLarge);
    const { socket, bytes, response } = await open(GET);
    socket.on('data', () => socket.pause());
    while (!response.writableFinished) {
      const before = response.writableLength;
      await waitUntil(() => {
        socket.resume();
        return response.writableLength < before || response.writableFinished;
      });
      pass(9);
    }
    await waitUntil(() => {
      socket.resume();
      return bytes() > 20 * MEGABYTE;
    });
    expect(memory.stats()).toMatchObject({ bytes: { answer: 0 }, ended: { answer: { late: 0, room: 0 } } });
  });

  test('A response does not time out while its next part is not ready', async () => {
    const nextPart = Promise.withResolvers<void>();
    const { open, pass } = await serve((_request, response) => {
      response.write('first ');
      void nextPart.promise.then(() => response.end('second'));
    });
    const { received } = await open(GET);
    await waitUntil(() => received().includes('first'));
    for (let n = 0; n < 10; n++) pass(9);
    nextPart.resolve();
    await waitUntil(() => received().includes('second'));
  });

  test('A second response on the same connection has its own deadline', async () => {
    const { open, pass } = await serve((_request, response) => void response.end('done'));
    const { socket, received } = await open(GET);
    await waitUntil(() => received().includes('done'));
    pass(60);
    socket.write(GET);
    await waitUntil(() => received().split('done').length === 3);
  });
});
