/**
 * A full-text search without an index parses the text of every row, which is the most expensive request a visitor could
 * make. So it is reserved for the service role, unless an index covers the search: of a condition that all rows must
 * meet, or of each condition of an `or`.
 */
import type { Condition, Filter } from '../parse/query-types.ts';
import type { RequestLimits } from '../request-limits.ts';
import { searchNotIndexed } from '../rest-errors.ts';
import type { ReadPlan } from './plan-types.ts';

type Searched = Pick<ReadPlan, 'columns'>;

/**
 * @param isIndexed whether an index of the table can be used. False for embedded resources and function calls
 * @throws ApiError PGRST197
 */
export function requireSearchable(
  condition: Condition,
  searched: Searched,
  { limits, isIndexed }: { limits: RequestLimits; isIndexed: boolean },
): void {
  if (limits.searchesAnyText) return;
  if (condition.kind === 'group') {
    const { operands, operator, negated } = condition;
    const isAnswered = isIndexed && !negated && (operator === 'and' || operands.every(isSearch));
    for (const operand of operands) requireSearchable(operand, searched, { limits, isIndexed: isAnswered });
    return;
  }
  if (condition.operation.kind !== 'search') return;
  const { isDocument = false, searchedIn = [] } = columnOf(condition, searched) ?? {};
  const { language } = condition.operation;
  const isAnswered = isIndexed && !condition.negated && language !== null && searchedIn.includes(language);
  if (!isDocument && !isAnswered) throw searchNotIndexed(condition.field.name, limits.role);
}

function isSearch(condition: Condition): boolean {
  return condition.kind === 'filter' && condition.operation.kind === 'search' && !condition.negated;
}

/** Undefined for a path into JSON and for a computed field, because their type is unknown. */
function columnOf({ field }: Filter, { columns }: Searched) {
  return field.path.length === 0 ? columns.get(field.name) : undefined;
}
