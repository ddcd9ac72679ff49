/**
 * Thresholds of the assistant. `node bench/calibrate-assistant.ts` calculates them from questions about the site that
 * have no example, and from public questions about anything else. A test checks that slightly lower or higher values
 * are not better.
 */
export const LIMITS = {
  /** Similarity to an example: sufficient if nothing else is found, sufficient by itself, and certain. */
  likely: 0.45,
  sure: 0.56,
  certain: 0.8,
  /** Similarity times the explained share of the message: the whole message is small talk, or the visitor is upset. */
  wholly: 0.5,
  upset: 0.3,
  /** Share of a question that a text covers: it is related, can be quoted, or is exactly the requested text. */
  near: 0.4,
  enough: 0.62,
  whole: 0.8,
};

export type Limits = typeof LIMITS;
