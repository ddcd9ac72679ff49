/**
 * Thresholds of the assistant. `node bench/calibrate-assistant.ts` calculates them from questions about the site that
 * have no example, and from public questions about anything else. A test checks that slightly lower or higher values
 * are not better.
 */
export const LIMITS = {
  /**
   * Minimum similarity to an example, in three levels: sufficient if nothing else is found, sufficient by itself, and
   * certain.
   */
  likely: 0.45,
  sure: 0.56,
  certain: 0.8,
  /**
   * Minimum product of similarity and explained share, for a message that is only small talk and for an upset visitor.
   */
  wholly: 0.5,
  upset: 0.3,
  /**
   * Minimum share of a question that a text covers, in three levels: the text is related, it can be quoted, and it is
   * exactly the requested text.
   */
  near: 0.4,
  enough: 0.62,
  whole: 0.8,
};

export type Limits = typeof LIMITS;
