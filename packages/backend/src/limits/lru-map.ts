import { LRUCache } from 'lru-cache';

/**
 * Creates an LRU map. With `max`, lru-cache would preallocate all entries: half a megabyte for 20,000, and a server has
 * about forty such maps, most of them empty.
 */
export function createLruMap<Value extends object>(maxEntries: number): LRUCache<string, Value> {
  return new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 });
}
