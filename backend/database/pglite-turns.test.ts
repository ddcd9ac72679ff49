import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Asker, askingFor } from './asker.ts';
import { DatabaseTurns } from './pglite-turns.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const READ = 'select title from posts';

/** Turns at one connection, where work takes the milliseconds that it is said to, and who began in which order. */
function recordedTurns() {
  const turns = new DatabaseTurns(1);
  const begun: string[] = [];
  return {
    begun,
    ask: (lane: Asker['lane'], address: string, text: string, ms: number) =>
      askingFor({ lane, address, account: null }, () =>
        turns.take({ statements: [{ text }], options: {}, isAlone: 'unless light' }, async ({ options }) => {
          begun.push(`${lane} ${address}`);
          await new Promise<void>((resolve) => setTimeout(resolve, ms));
          options.onTime?.(ms);
        }),
      ),
  };
}

/** Has a stranger use the lane of requests for a second while another lane waits, which has so much more to come. */
async function afterStranger() {
  const recorded = recordedTurns();
  const { ask, begun } = recorded;
  const known = ask('requests', '192.0.2.1', READ, 5);
  await vi.advanceTimersByTimeAsync(5);
  const used = [ask('requests', '198.18.0.1', 'select slowly', 1_000), ask('pages', '', 'select 1', 1)];
  await vi.advanceTimersByTimeAsync(2_000);
  await Promise.all([known, ...used]);
  begun.length = 0;
  return recorded;
}

it('gives the next turn but one to a network that used little, whatever others in its lane used', async () => {
  const { ask, begun } = await afterStranger();
  const crowd = Array.from({ length: 20 }, () => ask('pages', '', 'select 1', 10));
  const visitor = ask('requests', '203.0.113.7', READ, 5);
  await vi.advanceTimersByTimeAsync(1_000);
  await Promise.all([...crowd, visitor]);
  expect(begun.slice(0, 2)).toEqual(['pages ', 'requests 203.0.113.7']);
});

it.each([
  ['used much', '198.18.0.9', READ, 1],
  ['asks for what may take long', '203.0.113.7', 'select 2', 1],
  ['has much waiting', '203.0.113.7', READ, 30],
])('lets a network wait with its lane that %s', async (_what, address, text, count) => {
  const { ask, begun } = await afterStranger();
  const crowd = Array.from({ length: 20 }, () => ask('pages', '', 'select 1', 10));
  const asked = Array.from({ length: count }, () => ask('requests', address, text, 5));
  await vi.advanceTimersByTimeAsync(2_000);
  await Promise.all([...crowd, ...asked]);
  expect(begun.lastIndexOf(`requests ${address}`)).toBeGreaterThan(begun.lastIndexOf('pages '));
});
