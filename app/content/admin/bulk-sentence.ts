import type { BulkAction, BulkResult } from '../bulk.ts';

const DONE: Record<BulkAction, string> = { publish: 'published', unpublish: 'unpublished', delete: 'deleted' };

/** Maximum number of failed items listed by name. */
const NAMED = 3;

/** Returns the result of a bulk action: '2 of 3 posts published', then the failed items with their reasons. */
export function bulkSentence(
  { singular, plural }: { singular: string; plural: string },
  action: BulkAction,
  { done, refused }: BulkResult,
): [title: string, description: string | undefined] {
  if (refused.length === 0) return [`${done} ${done === 1 ? singular : plural} ${DONE[action]}`, undefined];
  const reasons = refused.slice(0, NAMED).map(({ title, reason }) => `"${title}": ${reason}.`);
  const otherCount = refused.length - reasons.length;
  if (otherCount > 0) reasons.push(`And ${otherCount} more, which are still selected.`);
  return [`${done} of ${done + refused.length} ${plural} ${DONE[action]}`, reasons.join(' ')];
}
