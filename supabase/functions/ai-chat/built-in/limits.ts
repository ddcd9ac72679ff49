/**
 * Limits from which the assistant believes what it takes a message for, and what it finds. `node bench/calibrate-assistant.ts`
 * works them out on questions that no example was written for and on public ones about anything but us; a test holds that
 * none is better a little lower or higher.
 */
export const LIMITS = {
  /** Likeness to an example: when nothing else is found, by itself, and beyond doubt. */
  likely: 0.45,
  sure: 0.56,
  certain: 0.8,
  /** Likeness times the share of the message that examples of its intent explain: all of it is talk, somebody is upset. */
  wholly: 0.5,
  upset: 0.3,
  /** The share of a question that a text has: it may be worth a look, be quoted, and be what was asked for. */
  near: 0.4,
  enough: 0.62,
  whole: 0.8,
};

export type Limits = typeof LIMITS;
