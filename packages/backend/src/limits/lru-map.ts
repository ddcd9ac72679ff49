import { LRUCache } from 'lru-cache';

/**
 * Makes a map of the entries that were used last. By `max`, lru-cache would make room for all of them beforehand: half
 * a megabyte for 20,000, and a server has some forty such maps, most of them empty.
 */
export function createLruMap<Value extends object>(most: number): LRUCache<string, Value> {
  return new LRUCache({ maxSize: most, sizeCalculation: () => 1 });
}
