/**
 * A full-text search of plain text makes a search document of every row, which costs more than all else that a visitor may
 * ask for. It is therefore for the service, unless an index has those documents and can answer the search: one that the rows
 * of the table read must fulfil, or one of several of which they must fulfil any.
 */
import type { Condition, Filter } from '../parse/query-types.ts';
import type { RequestLimits } from '../request-limits.ts';
import { searchNotIndexed } from '../rest-errors.ts';
import type { ReadPlan } from './plan-types.ts';

type Searched = Pick<ReadPlan, 'columns'>;

/**
 * @param isIndexed whether an index of the table can answer for the condition, which it cannot for what is embedded or called
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

/** Undefined for a path into JSON and for a computed field, of which nothing is known. */
function columnOf({ field }: Filter, { columns }: Searched) {
  return field.path.length === 0 ? columns.get(field.name) : undefined;
}
