/** Outcome of a reply, for collecting the questions that this site does not answer. */

/**
 * True if published content supports the reply. Otherwise the reason: no text matches, or the guard withheld an
 * unsupported claim. The reason is null if the message needs no content.
 */
export type ReplyOutcome =
  | { answered: true; reason: null }
  | { answered: false; reason: 'nothing found' | 'kept back' | null };

/** @param withheld number of sentences that the guard withheld */
export function outcomeOf(hasMatch: boolean, withheld: number): ReplyOutcome {
  if (withheld > 0) return { answered: false, reason: 'kept back' };
  return hasMatch ? { answered: true, reason: null } : { answered: false, reason: 'nothing found' };
}
