import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  type FakeUpstream,
  pauseAfter,
  reply,
  stall,
  startFakeUpstream,
} from '../../../tests/support/fake-upstream.ts';
import { askUpstream, type Upstream } from './upstream.ts';

const NEVER_ABORTED = new AbortController().signal;
const LIMITS = { firstToken: 20_000, betweenTokens: 30_000, reply: 180_000 };

let server: FakeUpstream;
let upstream: Upstream;
beforeAll(async () => {
  server = await startFakeUpstream();
  upstream = { baseUrl: server.url, apiKey: null, model: 'test', limits: LIMITS };
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
  // The test advances the time, so that it does not depend on the speed of the machine.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Makes the upstream not respond to the next requests. @returns promises that resolve when the requests arrive */
function stallNext(count: number): Promise<void>[] {
  const arrivals = Array.from({ length: count }, () => Promise.withResolvers<void>());
  server.behave(
    ...arrivals.map(
      ({ resolve }) =>
        () =>
          resolve(),
    ),
    stall,
  );
  return arrivals.map(({ promise }) => promise);
}

test('Requests an upstream a second time if it does not respond in time, and closes both connections', async () => {
  const arrivals = stallNext(2);
  const request = expect(askUpstream(upstream, [], NEVER_ABORTED)).rejects.toMatchObject({
    reason: 'no first token in time',
  });
  for (const arrival of arrivals) {
    await arrival;
    vi.advanceTimersByTime(LIMITS.firstToken);
  }
  await request;
  expect(server.requests).toHaveLength(2);
  await Promise.all(server.requests.map(({ abandoned }) => abandoned));
});

test('An upstream that responds at the second attempt succeeds', async () => {
  const { promise: arrival, resolve } = Promise.withResolvers<void>();
  server.behave(() => resolve(), reply('Here'));
  const request = askUpstream(upstream, [], NEVER_ABORTED);
  await arrival;
  vi.advanceTimersByTime(LIMITS.firstToken);
  expect((await request).first).toBe('Here');
});

test('The connection is closed if the upstream stops in the middle of a reply', async () => {
  server.behave(pauseAfter(['First'], new Promise(() => undefined)));
  const { first, rest } = await askUpstream(upstream, [], NEVER_ABORTED);
  expect(first).toBe('First');
  const next = expect(rest.next()).rejects.toThrow();
  vi.advanceTimersByTime(LIMITS.betweenTokens);
  await next;
  await server.requests[0]?.abandoned;
});

async function replyOf(): Promise<string> {
  const { first, rest } = await askUpstream(upstream, [], NEVER_ABORTED);
  let text = first;
  for await (const piece of rest) text += piece;
  return text;
}

test('An endless reply is truncated at the maximum length', async () => {
  server.behave(reply(...Array<string>(100).fill('x'.repeat(700))));
  expect(await replyOf()).toHaveLength(12_600);
});

test('A chunk that exceeds the maximum length is truncated between two characters', async () => {
  server.behave(reply(`x${'🫐'.repeat(10_000)}`));
  expect(await replyOf()).toBe(`x${'🫐'.repeat(7_999)}`);
});

test('A character that arrives in two pieces is not split, and invalid characters become storable', async () => {
  const [high = '', low = ''] = '🫐'.split('');
  server.behave(reply('x'.repeat(11_999) + high, low, 'never read'));
  expect(await replyOf()).toBe(`${'x'.repeat(11_999)}🫐never read`.slice(0, 12_001));
  server.behave(reply('a\0b', `c${low}`, 'd', high));
  expect(await replyOf()).toBe('abc\uFFFDd');
});

test('Line and paragraph separators are kept as text', async () => {
  server.behave(reply('one\u2028two', '\u2029', 'three\u0085'));
  expect(await replyOf()).toBe('one\u2028two\u2029three\u0085');
});

test('If the visitor disconnects before the first token, there is no second attempt', async () => {
  const [arrival] = stallNext(1);
  const disconnected = new AbortController();
  const request = askUpstream(upstream, [], disconnected.signal);
  await arrival;
  disconnected.abort();
  await expect(request).rejects.toThrow();
  await server.requests[0]?.abandoned;
  expect(server.requests).toHaveLength(1);
});
