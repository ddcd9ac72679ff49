import { LRUCache } from 'lru-cache';

/**
 * Creates an LRU map. The option `max` of lru-cache is not used, because it preallocates all entries (half a megabyte
 * for 20,000). A server has about forty such maps, and most of them are empty.
 */
export function createLruMap<Value extends object>(maxEntries: number): LRUCache<string, Value> {
  return new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 });
}
