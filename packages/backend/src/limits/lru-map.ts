import { LRUCache } from 'lru-cache';

/**
 * Creates an LRU map. With `max`, lru-cache would preallocate all entries: half a megabyte for 20,000, and a server has
 * some forty such maps, most of them empty.
 */
export function createLruMap<Value extends object>(most: number): LRUCache<string, Value> {
  return new LRUCache({ maxSize: most, sizeCalculation: () => 1 });
}
