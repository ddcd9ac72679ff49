/** Outcome of a reply, for collecting the questions that this site does not answer. */

/**
 * Tells whether published content carried the reply; if not, no text fits, or the guard kept back what no text says, or
 * nothing was asked that a text could answer (null).
 */
export type ReplyOutcome =
  | { answered: true; reason: null }
  | { answered: false; reason: 'nothing found' | 'kept back' | null };

/** @param keptBack sentences that the guard did not show */
export function outcomeOf(isAnythingFound: boolean, keptBack: number): ReplyOutcome {
  if (keptBack > 0) return { answered: false, reason: 'kept back' };
  return isAnythingFound ? { answered: true, reason: null } : { answered: false, reason: 'nothing found' };
}
