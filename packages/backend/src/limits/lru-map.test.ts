import { expect, test } from 'vitest';
import { createLruMap } from './lru-map.ts';

test('Evicts the least recently used entry first', () => {
  const kept = createLruMap<{ id: number }>(3);
  for (const id of [1, 2, 3]) kept.set(String(id), { id });
  kept.get('1');
  kept.set('4', { id: 4 });
  expect([...kept.keys()].sort()).toEqual(['1', '3', '4']);
  expect(kept.get('1')).toEqual({ id: 1 });
});
