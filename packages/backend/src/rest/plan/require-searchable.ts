/**
 * Rejects full-text searches without an index. Such a search parses the text of every row, which is the most expensive
 * request that a visitor could make. Only the service role may search any text. Other roles need an index. Postgres can
 * use the index only for a condition that all rows must meet, or for an `or` whose conditions are all searches.
 */
import type { Condition, Filter } from '../parse/query-types.ts';
import type { RequestLimits } from '../request-limits.ts';
import { searchNotIndexed } from '../rest-errors.ts';
import type { ReadPlan } from './plan-types.ts';

type SearchScope = Pick<ReadPlan, 'columns'>;

/**
 * @param canUseIndex whether an index of the table can be used. False for embedded resources and function calls
 * @throws ApiError PGRST197
 */
export function requireSearchable(
  condition: Condition,
  scope: SearchScope,
  { limits, canUseIndex }: { limits: RequestLimits; canUseIndex: boolean },
): void {
  if (limits.canSearchWithoutIndex) return;
  if (condition.kind === 'group') {
    const { operands, operator, isNegated } = condition;
    const usesIndex = canUseIndex && !isNegated && (operator === 'and' || operands.every(isSearch));
    for (const operand of operands) requireSearchable(operand, scope, { limits, canUseIndex: usesIndex });
    return;
  }
  if (condition.operation.kind !== 'search') return;
  const { isDocument = false, indexedLanguages = [] } = findColumn(condition, scope) ?? {};
  const { language } = condition.operation;
  const usesIndex = canUseIndex && !condition.isNegated && language !== null && indexedLanguages.includes(language);
  if (!isDocument && !usesIndex) throw searchNotIndexed(condition.field.name, limits.role);
}

function isSearch(condition: Condition): boolean {
  return condition.kind === 'filter' && condition.operation.kind === 'search' && !condition.isNegated;
}

/** Returns undefined for a path into JSON and for a computed field, because their type is unknown. */
function findColumn({ field }: Filter, { columns }: SearchScope) {
  return field.path.length === 0 ? columns.get(field.name) : undefined;
}
