import type { Visit } from './read-visit.ts';

/** Argument of the SQL function add_visit_counts. */
export interface VisitCount {
  kind: 'page' | 'referrer' | 'device' | 'chat';
  name: string;
  count: number;
  reads: number;
  seconds: number;
}

/** Maximum distinct names per kind between two writes. Further names are dropped. */
const MAX_NAMES = { page: 1000, referrer: 500, device: 3, chat: 1 };

/** Visit sums in memory, at most about 1,500 entries. */
export class VisitCounts {
  readonly #sums = new Map<string, VisitCount>();
  readonly #names = { page: 0, referrer: 0, device: 0, chat: 0 };

  get isEmpty(): boolean {
    return this.#sums.size === 0;
  }

  addVisit(visit: Visit): void {
    if (visit === 'chat') {
      this.add({ kind: 'chat', name: '', count: 1, reads: 0, seconds: 0 });
      return;
    }
    const { page, referrer, device, seconds } = visit;
    this.add({ kind: 'page', name: page, count: 1, reads: seconds === null ? 0 : 1, seconds: seconds ?? 0 });
    this.add({ kind: 'device', name: device, count: 1, reads: 0, seconds: 0 });
    if (referrer !== null) this.add({ kind: 'referrer', name: referrer, count: 1, reads: 0, seconds: 0 });
  }

  add(entry: VisitCount): void {
    const key = `${entry.kind} ${entry.name}`;
    const sum = this.#sums.get(key);
    if (sum) {
      sum.count += entry.count;
      sum.reads += entry.reads;
      sum.seconds += entry.seconds;
    } else if (this.#names[entry.kind] < MAX_NAMES[entry.kind]) {
      this.#names[entry.kind] += 1;
      this.#sums.set(key, { ...entry });
    }
  }

  toList(): VisitCount[] {
    return [...this.#sums.values()];
  }
}
