/** Plan of a write, resolved against the schema. */
import type { Payload } from '../parse/parse-payload.ts';
import type { RestRequest } from '../parse/parse-request.ts';
import type { Condition, Filter } from '../parse/query-types.ts';
import type { RestCall } from '../rest-call.ts';
import { columnNotFound, invalidPutFilters } from '../rest-errors.ts';
import type { Column, Table } from '../schema/schema-cache.ts';
import type { ReadPlan } from './plan-types.ts';
import { planRead } from './read-plan.ts';

export interface WritePlan {
  kind: 'insert' | 'update' | 'delete';
  table: Table;
  /** Columns to write. */
  columns: readonly Column[];
  json: string;
  appliesDefaults: boolean;
  conflict: { columns: readonly string[]; resolution: 'merge-duplicates' | 'ignore-duplicates' } | null;
  conditions: readonly Condition[];
  /** Content of the response: the written rows, the Location of an inserted row, or only the number of rows. */
  returns: 'rows' | 'location' | 'count';
  read: ReadPlan;
}

/** @throws ApiError PGRST105, PGRST204 and those of planRead */
export function planWrite(
  { schema, request, limits }: Pick<RestCall, 'schema' | 'request' | 'limits'>,
  table: Table,
  payload: Payload | null,
): WritePlan {
  const { query, preferences, method } = request;
  const conditions = query.conditions.filter(({ path }) => path.length === 0).map(({ value }) => value);
  if (method === 'PUT') requireKeyFilters(table, conditions);
  return {
    kind: method === 'PATCH' ? 'update' : method === 'DELETE' ? 'delete' : 'insert',
    table,
    columns: (payload?.keys ?? []).map((key) => requireColumn(table, key)),
    json: payload?.json ?? '',
    appliesDefaults: preferences.missing === 'default',
    conflict: planConflict(table, request),
    conditions: method === 'POST' ? [] : conditions,
    returns: returnKind(request),
    read: planRead(schema, table.name, query, { limits, isMutation: true }),
  };
}

function requireColumn(table: Table, name: string): Column {
  const column = table.columns.get(name);
  if (!column) throw columnNotFound(table.name, name);
  return column;
}

function planConflict(table: Table, { method, preferences, query }: RestRequest): WritePlan['conflict'] {
  const resolution = method === 'PUT' ? 'merge-duplicates' : preferences.resolution;
  if (resolution === null || (method !== 'POST' && method !== 'PUT')) return null;
  const columns = (method === 'POST' ? query.onConflict : null) ?? table.primaryKey;
  return columns.length === 0 ? null : { columns, resolution };
}

function returnKind({ method, preferences }: RestRequest): WritePlan['returns'] {
  if (preferences.return === 'representation') return 'rows';
  return preferences.return === 'headers-only' && method === 'POST' ? 'location' : 'count';
}

function requireKeyFilters({ primaryKey }: Table, conditions: readonly Condition[]): void {
  const isEquality = (condition: Condition): condition is Filter =>
    condition.kind === 'filter' &&
    !condition.isNegated &&
    condition.operation.kind === 'compare' &&
    condition.operation.operator === 'eq' &&
    condition.operation.quantifier === null;
  const filterNames = conditions.filter(isEquality).map(({ field }) => field.name);
  const isWholeKey = primaryKey.length > 0 && primaryKey.every((column) => filterNames.includes(column));
  if (!isWholeKey || conditions.length !== primaryKey.length) throw invalidPutFilters();
}
