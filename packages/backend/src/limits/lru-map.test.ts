import { expect, test } from 'vitest';
import { createLruMap } from './lru-map.ts';

test('The least recently used entry is evicted first', () => {
  const map = createLruMap<{ id: number }>(3);
  for (const id of [1, 2, 3]) map.set(String(id), { id });
  map.get('1');
  map.set('4', { id: 4 });
  expect([...map.keys()].sort()).toEqual(['1', '3', '4']);
  expect(map.get('1')).toEqual({ id: 1 });
});
