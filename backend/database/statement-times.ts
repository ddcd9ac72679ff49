/**
 * Times that exchanges with the database took of late, by the texts of their statements. Bound values are not part of
 * the key, so that one request tells how long the next of its kind will take.
 */
import { LRUCache } from 'lru-cache';
import type { Statement } from './database.ts';

/**
 * Milliseconds below which a statement is light. A read of the table API takes 1, a page 1 to 5; on a slow or busy
 * machine several times as much.
 */
const LIGHT_BELOW_MS = 50;

/** Characters of all texts that are remembered; those that were not used for longest count as new again. */
const MAX_CHARACTERS = 4_000_000;

/** A slow time counts for so much less after each shorter one: one of 2 s makes a text slow for 17 more. */
const FADING = 0.8;

export type Weight = 'light' | 'new' | 'slow';

export class StatementTimes {
  readonly #times = new LRUCache<string, number>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_time, text) => text.length,
  });

  /** New is also what nobody could foresee. */
  weigh(text: string): Weight {
    const time = this.#times.get(text);
    if (time === undefined) return 'new';
    return time < LIGHT_BELOW_MS ? 'light' : 'slow';
  }

  note(text: string, milliseconds: number): void {
    if (text !== '') this.#times.set(text, Math.max(milliseconds, (this.#times.get(text) ?? 0) * FADING));
  }
}

/** Returns the text under which the times of an exchange are kept; '' when nobody knows what it will be. */
export function textOf(statements: readonly Statement[]): string {
  return statements.map(({ text }) => text).join(';');
}
