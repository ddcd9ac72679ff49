/** Parses a query string to a Query. Follows https://docs.postgrest.org/en/stable/references/api/tables_views.html */
import { rangeNotSatisfiable } from '../rest-errors.ts';
import { looksLikeFilter, parseFilter, parseLogic, parsePath } from './parse-conditions.ts';
import { parseOrder } from './parse-order.ts';
import { parseSelect } from './parse-select.ts';
import type { AtPath, Condition, OrderTerm, Query, Range } from './query-types.ts';
import { Scanner } from './scanner.ts';

/**
 * Parses a query string. With `hasArguments`, parameters that are not filters are arguments of a function.
 * @throws ApiError PGRST100 with the parameter and the position, PGRST103 for a negative limit
 */
export function parseQuery(parameters: URLSearchParams, options: { hasArguments: boolean }): Query {
  const conditions: AtPath<Condition>[] = [];
  const orders: AtPath<readonly OrderTerm[]>[] = [];
  const ranges = new Map<string, AtPath<Range>>();
  const functionArguments: [string, string][] = [];
  let select: string | null = null;
  let columns: string | null = null;
  let onConflict: string | null = null;

  for (const [key, value] of parameters) {
    const lastWord = key.slice(key.lastIndexOf('.') + 1);
    if (key === 'select') select ??= value;
    else if (key === 'columns') columns ??= value;
    else if (key === 'on_conflict') onConflict ??= value;
    else if (lastWord === 'order') orders.push({ path: parsePath(key).path, value: parseOrder(value) });
    else if (lastWord === 'limit' || lastWord === 'offset') readRange(ranges, key, lastWord, value);
    else if (lastWord === 'and' || lastWord === 'or') conditions.push(parseLogic(key, value));
    else if (options.hasArguments && !key.includes('.') && !looksLikeFilter(value))
      functionArguments.push([key, value]);
    else conditions.push(parseFilter(key, value));
  }
  return {
    select: parseSelect(select ?? '*'),
    conditions,
    orders,
    ranges: [...ranges.values()],
    columns: columns === null ? null : parseNames(columns, 'columns'),
    onConflict: onConflict === null ? null : parseNames(onConflict, 'on_conflict'),
    arguments: functionArguments,
  };
}

/** Parses a limit or offset. As in PostgREST, an invalid number is ignored, and a negative offset becomes 0. */
function readRange(ranges: Map<string, AtPath<Range>>, key: string, word: 'limit' | 'offset', value: string): void {
  const { path } = parsePath(key);
  const id = path.join('.');
  const range = ranges.get(id) ?? { path, value: { limit: null, offset: 0 } };
  ranges.set(id, range);
  if (!/^-?\d{1,18}$/.test(value)) return;
  const number = Number(value);
  if (word === 'offset') range.value.offset = Math.max(0, number);
  else if (number < 0) throw rangeNotSatisfiable('Limit should be greater than or equal to zero.');
  else range.value.limit = number;
}

function parseNames(text: string, parameter: string): string[] {
  const scanner = new Scanner(text, `failed to parse ${parameter} parameter (${text})`);
  const names: string[] = [];
  do {
    scanner.skipBlanks();
    names.push(scanner.name());
    scanner.skipBlanks();
  } while (scanner.consume(','));
  scanner.expectEnd();
  return [...new Set(names)];
}
