/** Resolves a parsed query against the schema: the tables to read, and how embedded resources are joined. */
import type { Field, Query, SelectField, SelectItem } from '../parse/query-types.ts';
import type { RequestLimits } from '../request-limits.ts';
import { notEmbedded, notImplemented, orderByManyNotPossible } from '../rest-errors.ts';
import type { SchemaCache } from '../schema/schema-cache.ts';
import { findRelationship } from './find-relationship.ts';
import type { EmbedPlan, ReadPlan } from './plan-types.ts';
import { requireSearchable } from './require-searchable.ts';
import { requireWithinLimits } from './require-within-limits.ts';

/** Maximum number of rows per resource, like `max_rows` in supabase/config.toml. */
const MAX_ROWS = 1000;

/**
 * Plans a read of `table`, which may also be the name of a function. If the function returns no table, the schema cache
 * has no table of this name.
 * @throws ApiError PGRST108, PGRST118, PGRST123, PGRST127, PGRST190, PGRST191, PGRST197, PGRST200, PGRST201
 */
export function planRead(
  schema: SchemaCache,
  table: string,
  query: Query,
  options: { limits: RequestLimits; isMutation?: boolean; isCall?: boolean },
): ReadPlan {
  const { limits, isMutation = false, isCall = false } = options;
  const maxRows = isMutation ? null : MAX_ROWS;
  const root = planResource(table, table, query.select, { schema, maxRows, depth: 0, names: { next: 1 } });
  requireWithinLimits(query, root, limits);
  requireNoSpreadAggregates(root);
  for (const { path, value } of query.conditions) {
    const canUseIndex = !isCall && path.length === 0;
    requireSearchable(value, planAt(root, path), { limits, canUseIndex });
    if (isMutation && path.length === 0) continue;
    planAt(root, path).conditions.push(value);
  }
  // The returned rows of a write are neither ordered nor paginated.
  if (isMutation) return root;
  for (const { path, value } of query.orders) {
    const plan = planAt(root, path);
    plan.order = value.map((term) => ({
      ...term,
      embed: term.relation === null ? null : toOneEmbed(plan, term.relation),
    }));
  }
  for (const { path, value } of query.ranges) {
    planAt(root, path).range = { limit: Math.min(value.limit ?? MAX_ROWS, MAX_ROWS), offset: value.offset };
  }
  return root;
}

interface Planning {
  schema: SchemaCache;
  maxRows: number | null;
  depth: number;
  /** Counter that keeps shortened aliases unique. */
  names: { next: number };
}

function planResource(table: string, alias: string, select: readonly SelectItem[], planning: Planning): ReadPlan {
  const { schema, maxRows } = planning;
  const inner = { ...planning, depth: planning.depth + 1 };
  const plan: ReadPlan = {
    schema: schema.name,
    table,
    alias,
    columns: schema.tables.get(table)?.columns ?? new Map(),
    fields: [],
    isAggregated: select.some((item) => item.kind === 'field' && item.aggregate !== null),
    embeds: [],
    conditions: [],
    order: [],
    range: { limit: maxRows, offset: 0 },
  };
  for (const item of select) {
    if (item.kind === 'field') {
      plan.fields.push(item);
      continue;
    }
    const relationship = findRelationship(schema, table, item.relation, item.hint);
    const key = item.alias ?? item.relation;
    plan.embeds.push({
      key,
      relation: item.relation,
      alias: item.alias,
      relationship,
      isToOne: relationship.cardinality === 'many-to-one' || relationship.cardinality === 'one-to-one',
      isInner: item.join === 'inner',
      isSpread: item.isSpread,
      lateral: aliasFor(`${table}_${key}`, inner),
      plan: planResource(relationship.foreignTable, aliasFor(relationship.foreignTable, inner), item.select, inner),
    });
  }
  plan.isAggregated ||= plan.embeds.some(({ isSpread, plan: { isAggregated } }) => isSpread && isAggregated);
  return plan;
}

/**
 * Rejects aggregates in a spread list. They would group the surrounding rows, but the rows of a list cannot be part of
 * a group.
 */
function requireNoSpreadAggregates({ embeds }: ReadPlan): void {
  for (const { isSpread, isToOne, plan } of embeds) {
    if (isSpread && !isToOne && plan.isAggregated) {
      throw notImplemented('Aggregates are not implemented for one-to-many or many-to-many spreads.');
    }
    requireNoSpreadAggregates(plan);
  }
}

/**
 * Returns the alias of a joined resource. It is the same as in PostgREST, so that Postgres reports the same errors, for
 * example if two embedded resources have one name. Postgres truncates names to 63 bytes, so long aliases are shortened
 * and numbered.
 */
function aliasFor(name: string, { depth, names }: Planning): string {
  const alias = `${name}_${depth}`;
  if (Buffer.byteLength(alias) <= 63) return alias;
  let base = name;
  while (Buffer.byteLength(base) > 50) base = base.slice(0, -1);
  return `${base}_${depth}_${names.next++}`;
}

function planAt(root: ReadPlan, path: readonly string[]): ReadPlan {
  let plan = root;
  for (const name of path) plan = requireEmbed(plan, name).plan;
  return plan;
}

function requireEmbed(plan: ReadPlan, name: string): EmbedPlan {
  const embed = plan.embeds.find(({ relation, alias }) => relation === name || alias === name);
  if (!embed) throw notEmbedded(name);
  return embed;
}

function toOneEmbed(plan: ReadPlan, name: string): EmbedPlan {
  const embed = plan.embeds.find(({ key }) => key === name);
  if (!embed) throw notEmbedded(name);
  if (!embed.isToOne) throw orderByManyNotPossible(plan.table, name);
  return embed;
}

/** Returns the key of a selected field in the response, or null if it is the name of its column or aggregate. */
export function responseKey({ alias, field, aggregate }: SelectField): string | null {
  if (alias !== null || aggregate !== null) return alias;
  return field.path.length === 0 ? null : lastKey(field);
}

/** The key of `data->a->0` is `a`, that of `data->0` is `data`. */
function lastKey(field: Field): string {
  for (const { operand } of [...field.path].reverse()) if ('key' in operand) return operand.key;
  return field.name;
}
