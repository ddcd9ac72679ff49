import type { Visit } from './read-visit.ts';
import { type VisitCount, VisitCounts } from './visit-counts.ts';

/** Writes are at least so far apart. */
const WRITE_EVERY_MS = 1000;

/** After a write that failed. */
const RETRY_AFTER_MS = 30_000;

/** Adds visits up in memory and writes their sums, at most once a second and only when there are any. */
export class VisitWriter {
  readonly #write: (counts: VisitCount[]) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  #counts = new VisitCounts();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  /** @param onError is told of a write that failed, which is tried again with what has come since */
  constructor(write: (counts: VisitCount[]) => Promise<void>, onError: (error: unknown) => void) {
    this.#write = write;
    this.#onError = onError;
  }

  add(visit: Visit): void {
    this.#counts.addVisit(visit);
    if (!this.#writing) this.#writeAfter(WRITE_EVERY_MS);
  }

  /** Writes what is left, and ends. */
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
    const taken = this.#counts.toList();
    this.#counts = new VisitCounts();
    let pause = WRITE_EVERY_MS;
    try {
      await this.#write(taken);
    } catch (error) {
      this.#onError(error);
      for (const count of taken) this.#counts.add(count);
      pause = RETRY_AFTER_MS;
    }
    this.#timer = undefined;
    this.#writing = undefined;
    if (!this.#counts.isEmpty) this.#writeAfter(pause);
  }
}
