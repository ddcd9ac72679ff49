/** Tells how likely the best result of a search is the right one, by constants that were fitted and not chosen. */

export interface Standing {
  /** The share of the question's words that the result has, weighed by how rare they are. */
  coverage: number;
  /** The distance of its score from the best other one's for each word, as a share of what the rarest word would count. */
  margin: number;
}

/** Fitted by logistic regression on public questions: node bench/calibrate-assistant.ts, see docs/decisions/chat.md. */
const FITTED = { constant: -2.406, coverage: 2.468, margin: 3.215 };

/** @returns a probability, from 0 to 1 */
export function certaintyOf({ coverage, margin }: Standing): number {
  const sum = FITTED.constant + FITTED.coverage * coverage + FITTED.margin * margin;
  return 1 / (1 + Math.exp(-sum));
}
