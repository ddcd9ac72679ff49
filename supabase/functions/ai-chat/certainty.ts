/** Features of the best search result, for estimating the probability that it is the right one. */

export interface SearchFeatures {
  /** Share of the question's words that the result contains, weighted by rarity. */
  coverage: number;
  /** Score difference to the second-best result per word, as a share of the weight of the rarest word. */
  margin: number;
}

/** Fitted by logistic regression on public questions (bench/calibrate-assistant.ts, docs/decisions/chat.md). */
const COEFFICIENTS = { constant: -2.406, coverage: 2.468, margin: 3.215 };

/** @returns a probability, from 0 to 1 */
export function certaintyOf({ coverage, margin }: SearchFeatures): number {
  const sum = COEFFICIENTS.constant + COEFFICIENTS.coverage * coverage + COEFFICIENTS.margin * margin;
  return 1 / (1 + Math.exp(-sum));
}
