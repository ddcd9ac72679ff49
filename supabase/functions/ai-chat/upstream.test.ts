import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type FakeUpstream,
  pauseAfter,
  reply,
  stall,
  startFakeUpstream,
} from '../../../tests/support/fake-upstream.ts';
import { askUpstream, type Upstream } from './upstream.ts';

const NEVER = new AbortController().signal;

let server: FakeUpstream;
let upstream: Upstream;
beforeAll(async () => {
  server = await startFakeUpstream();
  upstream = {
    baseUrl: server.url,
    apiKey: null,
    model: 'test',
    limits: { firstToken: 150, betweenTokens: 150, reply: 10_000 },
  };
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
});

test('An upstream that does not begin in time is asked once more, and hung up on both times', async () => {
  server.behave(stall);
  await expect(askUpstream(upstream, [], NEVER)).rejects.toMatchObject({ reason: 'no first token in time' });
  expect(server.requests).toHaveLength(2);
  await Promise.all(server.requests.map(({ abandoned }) => abandoned));
});

test('An upstream that begins in time at the second attempt is good enough', async () => {
  server.behave(stall, reply('Here'));
  expect((await askUpstream(upstream, [], NEVER)).first).toBe('Here');
});

test('An upstream that stops in the middle is hung up on', async () => {
  server.behave(pauseAfter(['First'], new Promise(() => undefined)));
  const { first, rest } = await askUpstream(upstream, [], NEVER);
  expect(first).toBe('First');
  await expect(rest.next()).rejects.toThrow();
  await server.requests[0]?.abandoned;
});

test('An upstream without an end is cut at a length that can be stored', async () => {
  server.behave(reply(...Array<string>(100).fill('x'.repeat(1000))));
  const { first, rest } = await askUpstream(upstream, [], NEVER);
  let text = first;
  for await (const piece of rest) text += piece;
  expect(text).toHaveLength(12_000);
});

test('A visitor who leaves before the first token ends the attempt without another one', async () => {
  server.behave(stall);
  const left = new AbortController();
  const asking = askUpstream(
    { ...upstream, limits: { firstToken: 10_000, betweenTokens: 1, reply: 10_000 } },
    [],
    left.signal,
  );
  await expect.poll(() => server.requests.length).toBe(1);
  left.abort();
  await expect(asking).rejects.toThrow();
  await server.requests[0]?.abandoned;
  expect(server.requests).toHaveLength(1);
});
