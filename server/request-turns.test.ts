import { EventEmitter } from 'node:events';
import type { Server } from 'node:net';
import { setImmediate as nextRound } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { RequestTurns } from './request-turns.ts';

/** Creates turns with a clock that each started request advances by `msPerRequest`. */
function createTurns(msPerRequest: number) {
  let now = 0;
  const started: string[] = [];
  const turns = new RequestTurns({ clientAddressOf: ({ headers }) => headers.from ?? '', now: () => now });
  const listener = turns.inTurns(({ headers }) => {
    now += msPerRequest;
    started.push(headers.from ?? '');
  });
  const send = (from: string) => {
    const socket = { destroyed: false };
    (listener as (...call: unknown[]) => void)({ headers: { from }, socket }, {});
    return socket;
  };
  return { turns, started, send, advance: (ms: number) => (now += ms) };
}

test('A single request starts immediately, and a burst is spread over several iterations', async () => {
  const { started, send } = createTurns(0.25);
  for (let n = 0; n < 6; n++) send('198.51.100.1');
  expect(started).toHaveLength(2);
  await nextRound();
  expect(started).toHaveLength(4);
  await nextRound();
  expect(started).toHaveLength(6);
  await nextRound();
  send('198.51.100.1');
  expect(started).toHaveLength(7);
});

test('A burst from one address does not delay the first request of other addresses', async () => {
  const { started, send } = createTurns(1);
  for (let n = 0; n < 800; n++) send('198.51.100.1');
  send('203.0.113.7');
  send('2001:db8::1');
  for (let n = 0; n < 3; n++) await nextRound();
  expect(started).toEqual(['198.51.100.1', '198.51.100.1', '203.0.113.7', '2001:db8::1']);
  // Addresses of one /64 share their turns.
  for (let n = 0; n < 100; n++) send(`2001:db8::${n}`);
  send('192.0.2.9');
  for (let n = 0; n < 3; n++) await nextRound();
  expect(started).toContain('192.0.2.9');
});

test('A queued request whose client has disconnected is not started', async () => {
  const { started, send } = createTurns(1);
  send('203.0.113.7');
  send('198.51.100.1').destroyed = true;
  send('192.0.2.1');
  for (let n = 0; n < 3; n++) await nextRound();
  expect(started).toEqual(['203.0.113.7', '192.0.2.1']);
});

test('A render yields to queued requests and new connections, but only for a limited time', async () => {
  const { turns, started, send, advance } = createTurns(1);
  const server = new EventEmitter();
  turns.watch(server as Server);
  let isIdle = false;
  const waiting = turns.untilIdle().then(() => {
    isIdle = true;
  });
  for (let n = 0; n < 4; n++) send('198.51.100.1');
  await waiting;
  expect(started).toHaveLength(4);
  isIdle = false;
  void turns.untilIdle().then(() => {
    isIdle = true;
  });
  for (let n = 0; n < 50; n++) {
    server.emit('connection');
    await nextRound();
  }
  expect(isIdle).toBe(false);
  advance(20);
  server.emit('connection');
  await nextRound();
  await nextRound();
  expect(isIdle).toBe(true);
});
