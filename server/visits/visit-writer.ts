import type { Visit } from './read-visit.ts';
import { type VisitCount, VisitCounts } from './visit-counts.ts';

/** Minimum interval between writes. */
const WRITE_EVERY_MS = 1000;

/** Delay after a failed write. */
const RETRY_AFTER_MS = 30_000;

/** Aggregates visits in memory and writes the sums at most once a second. */
export class VisitWriter {
  readonly #write: (counts: VisitCount[]) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  #counts = new VisitCounts();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  /** @param onError called with the error of a failed write, which is retried together with later visits */
  constructor(write: (counts: VisitCount[]) => Promise<void>, onError: (error: unknown) => void) {
    this.#write = write;
    this.#onError = onError;
  }

  add(visit: Visit): void {
    this.#counts.addVisit(visit);
    if (!this.#writing) this.#writeAfter(WRITE_EVERY_MS);
  }

  /** Flushes and stops. */
  async close(): Promise<void> {
    await this.#writing;
    clearTimeout(this.#timer);
    if (!this.#counts.isEmpty) await this.#writeNow();
    clearTimeout(this.#timer);
  }

  #writeAfter(milliseconds: number): void {
    if (this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#writing = this.#writeNow();
    }, milliseconds);
    this.#timer.unref();
  }

  async #writeNow(): Promise<void> {
    const counts = this.#counts.toList();
    this.#counts = new VisitCounts();
    let delay = WRITE_EVERY_MS;
    try {
      await this.#write(counts);
    } catch (error) {
      this.#onError(error);
      for (const count of counts) this.#counts.add(count);
      delay = RETRY_AFTER_MS;
    }
    this.#timer = undefined;
    this.#writing = undefined;
    if (!this.#counts.isEmpty) this.#writeAfter(delay);
  }
}
