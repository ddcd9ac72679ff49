/** Exponentially decaying sums by name, for recent use. */
import { createLruMap } from './lru-map.ts';

const HALF_LIFE_MS = 10_000;

/** Maximum number of names. The least recently used one is evicted. */
const MAX_NAMES = 20_000;

export class DecayingSums {
  readonly #sums = createLruMap<{ sum: number; updatedAt: number }>(MAX_NAMES);
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Returns the decayed sum of the name. */
  read(name: string): number {
    const last = this.#sums.get(name);
    return last ? last.sum * 0.5 ** ((this.#now() - last.updatedAt) / HALF_LIFE_MS) : 0;
  }

  add(name: string, amount: number): void {
    this.#sums.set(name, { sum: this.read(name) + amount, updatedAt: this.#now() });
  }
}
