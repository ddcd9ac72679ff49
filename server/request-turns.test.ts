import { EventEmitter } from 'node:events';
import type { Server } from 'node:net';
import { setImmediate as nextRound } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { RequestTurns } from './request-turns.ts';

/** Sends requests on a clock that each request advances by `ms`. */
function take(msOfRequest: number) {
  let now = 0;
  const begun: string[] = [];
  const turns = new RequestTurns({ clientAddressOf: ({ headers }) => headers.from ?? '', now: () => now });
  const listener = turns.inTurns(({ headers }) => {
    now += msOfRequest;
    begun.push(headers.from ?? '');
  });
  const ask = (from: string) => {
    const socket = { destroyed: false };
    (listener as (...call: unknown[]) => void)({ headers: { from }, socket }, {});
    return socket;
  };
  return { turns, begun, ask, pass: (ms: number) => (now += ms) };
}

test('A single request starts immediately, and a burst is spread over several iterations', async () => {
  const { begun, ask } = take(0.25);
  for (let n = 0; n < 6; n++) ask('198.51.100.1');
  expect(begun).toHaveLength(2);
  await nextRound();
  expect(begun).toHaveLength(4);
  await nextRound();
  expect(begun).toHaveLength(6);
  await nextRound();
  ask('198.51.100.1');
  expect(begun).toHaveLength(7);
});

test('A burst from one address does not delay the first request of other addresses', async () => {
  const { begun, ask } = take(1);
  for (let n = 0; n < 800; n++) ask('198.51.100.1');
  ask('203.0.113.7');
  ask('2001:db8::1');
  for (let n = 0; n < 3; n++) await nextRound();
  expect(begun).toEqual(['198.51.100.1', '198.51.100.1', '203.0.113.7', '2001:db8::1']);
  // Addresses of one /64 share their turns.
  for (let n = 0; n < 100; n++) ask(`2001:db8::${n}`);
  ask('192.0.2.9');
  for (let n = 0; n < 3; n++) await nextRound();
  expect(begun).toContain('192.0.2.9');
});

test('A queued request whose client has disconnected is not started', async () => {
  const { begun, ask } = take(1);
  ask('203.0.113.7');
  ask('198.51.100.1').destroyed = true;
  ask('192.0.2.1');
  for (let n = 0; n < 3; n++) await nextRound();
  expect(begun).toEqual(['203.0.113.7', '192.0.2.1']);
});

test('A render yields to queued requests and new connections, but only for a limited time', async () => {
  const { turns, begun, ask, pass } = take(1);
  const server = new EventEmitter();
  turns.watch(server as Server);
  let isQuiet = false;
  const waiting = turns.untilQuiet().then(() => {
    isQuiet = true;
  });
  for (let n = 0; n < 4; n++) ask('198.51.100.1');
  await waiting;
  expect(begun).toHaveLength(4);
  isQuiet = false;
  void turns.untilQuiet().then(() => {
    isQuiet = true;
  });
  for (let n = 0; n < 50; n++) {
    server.emit('connection');
    await nextRound();
  }
  expect(isQuiet).toBe(false);
  pass(20);
  server.emit('connection');
  await nextRound();
  await nextRound();
  expect(isQuiet).toBe(true);
});
