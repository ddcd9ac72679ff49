import type { BulkAction, BulkResult } from '../bulk.ts';

const PAST_TENSES: Record<BulkAction, string> = { publish: 'published', unpublish: 'unpublished', delete: 'deleted' };

/** Maximum number of failed items listed by name. */
const MAX_LISTED_ITEMS = 3;

/** Describes the result of a bulk action: '2 of 3 posts published', then the failed items with their reasons. */
export function bulkResultMessage(
  { singular, plural }: { singular: string; plural: string },
  action: BulkAction,
  { done, failed }: BulkResult,
): [title: string, description: string | undefined] {
  if (failed.length === 0) return [`${done} ${done === 1 ? singular : plural} ${PAST_TENSES[action]}`, undefined];
  const reasons = failed.slice(0, MAX_LISTED_ITEMS).map(({ title, reason }) => `"${title}": ${reason}.`);
  const otherCount = failed.length - reasons.length;
  if (otherCount > 0) reasons.push(`And ${otherCount} more. Failed items stay selected.`);
  return [`${done} of ${done + failed.length} ${plural} ${PAST_TENSES[action]}`, reasons.join(' ')];
}
