/** Counts the parts of a planned request, before its SQL is built. */
import { isWholeRow } from '../parse/parse-field.ts';
import type { Condition, Operation, Query } from '../parse/query-types.ts';
import type { RequestLimits } from '../request-limits.ts';
import { aggregatesNotAllowed, limitExceeded, regexNotAllowed } from '../rest-errors.ts';
import { countFanOuts } from './count-fan-outs.ts';
import type { EmbedPlan, ReadPlan } from './plan-types.ts';

/** Counted parts of a request, each with its name in an error message. */
const COUNTED = [
  ['embeds', 'embedded resources'],
  ['fields', 'columns'],
  ['filters', 'filters'],
  ['searches', 'full-text searches'],
  ['listValues', 'values in lists'],
  ['wildcards', 'wildcards in patterns'],
] as const;

type Counts = Record<(typeof COUNTED)[number][0], number>;

/** @throws ApiError PGRST190, PGRST191 for a regular expression, PGRST123 for an aggregate */
export function requireWithinLimits(query: Query, plan: ReadPlan, limits: RequestLimits): void {
  const counts: Counts = { embeds: 0, fields: 0, filters: 0, searches: 0, listValues: 0, wildcards: 0 };
  countNames(query, counts);
  for (const { value } of query.conditions) countCondition(value, counts, limits);
  countResource(plan, [], counts, limits);
  for (const [name, noun] of COUNTED) requireAtMost(limits[name], counts[name], noun, limits);
}

/** Order terms, names in columns and on_conflict, and call arguments count as columns. */
function countNames({ orders, columns, onConflict, arguments: callArguments }: Query, counts: Counts): void {
  counts.fields += orders.reduce((sum, { value }) => sum + value.length, 0);
  counts.fields += (columns?.length ?? 0) + (onConflict?.length ?? 0) + callArguments.length;
}

function countCondition(condition: Condition, counts: Counts, limits: RequestLimits): void {
  counts.filters += 1;
  if (condition.kind === 'group') {
    for (const operand of condition.operands) countCondition(operand, counts, limits);
    return;
  }
  countOperation(condition.operation, counts, limits);
}

function countOperation(operation: Operation, counts: Counts, { allowsRegex }: RequestLimits): void {
  if (operation.kind === 'in') counts.listValues += operation.values.length;
  if (operation.kind === 'search') counts.searches += 1;
  if (operation.kind !== 'compare') return;
  const { operator, quantifier, value } = operation;
  if ((operator === 'match' || operator === 'imatch') && !allowsRegex) throw regexNotAllowed(operator);
  if (quantifier !== null) counts.listValues += value.split(',').length;
  if (operator === 'like' || operator === 'ilike')
    counts.wildcards += value.match(/\\.|[%*]/gs)?.filter(isWildcard).length ?? 0;
}

/** Returns whether a match is an unescaped wildcard. */
function isWildcard(match: string): boolean {
  return match.length === 1;
}

/** @param path from the queried table to this resource */
function countResource(plan: ReadPlan, path: readonly EmbedPlan[], counts: Counts, limits: RequestLimits): void {
  requireAtMost(limits.embedDepth, path.length, 'levels of embedded resources', limits);
  requireAtMost(limits.sameTable, 1 + countFanOuts(path), `occurrences of '${plan.table}' on one path`, limits);
  countFields(plan, counts, limits);
  for (const embed of plan.embeds) {
    counts.embeds += 1;
    countResource(embed.plan, [...path, embed], counts, limits);
  }
}

function countFields({ fields, columns }: ReadPlan, counts: Counts, limits: RequestLimits): void {
  const selections = new Map<string, number>();
  for (const { field, aggregate } of fields) {
    if (aggregate !== null && !limits.allowsAggregates) throw aggregatesNotAllowed();
    counts.fields += isWholeRow(field) && aggregate === null ? Math.max(1, columns.size) : 1;
    const key = JSON.stringify([field, aggregate?.function]);
    const count = (selections.get(key) ?? 0) + 1;
    selections.set(key, count);
    requireAtMost(limits.sameField, count, `selections of the column '${field.name}'`, limits);
  }
}

function requireAtMost(limit: number, count: number, noun: string, { role }: RequestLimits): void {
  if (count > limit) throw limitExceeded(noun, limit, role);
}
