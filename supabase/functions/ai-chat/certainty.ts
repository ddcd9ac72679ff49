/** Tells how likely the best result of a search is the right one, by constants that were fitted and not chosen. */

export interface Standing {
  /** The share of the question's words that the result has, weighed by how rare they are. */
  coverage: number;
  /** The distance of its score from that of the best other one, as a share of it. */
  lead: number;
}

/** Fitted by logistic regression on public questions: node bench/calibrate-assistant.ts, see docs/decisions/chat.md. */
const FITTED = { constant: -2.722, coverage: 2.959, lead: 2.216, both: 4.148 };

/** @returns a probability, from 0 to 1 */
export function certaintyOf({ coverage, lead }: Standing): number {
  const { constant, coverage: ofCoverage, lead: ofLead, both } = FITTED;
  return 1 / (1 + Math.exp(-(constant + ofCoverage * coverage + ofLead * lead + both * coverage * lead)));
}
