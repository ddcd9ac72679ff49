/** Converts a ReadPlan to a SELECT. Each embedded resource is a lateral subquery that aggregates its rows to JSON. */
import type { EmbedPlan, PlannedOrder, ReadPlan } from '../plan/plan-types.ts';
import { embedPresenceSql, fieldSql, whereSql } from './condition-sql.ts';
import { selectSql, spreadColumns } from './select-sql.ts';
import { type Parameters, qualifiedName, quoteIdentifier } from './sql-text.ts';

/** Source of rows other than the plan's table: the untyped result of a write or function. */
export interface RecordSource {
  records: string;
}

interface JoinedSource {
  from: string;
  join: readonly string[];
}

/** Returns the query for the rows of a plan. */
export function readSql(plan: ReadPlan, parameters: Parameters, source?: RecordSource): string {
  const from = source?.records ?? tableName(plan);
  return rowsSql(plan, parameters, { from, join: [], hoists: false, isRecord: source !== undefined });
}

/** Returns the SQL that counts the rows, regardless of the range. */
export function countSql(plan: ReadPlan, parameters: Parameters, source?: RecordSource): string {
  const laterals = plan.embeds
    .filter((embed) => embed.isInner || isFiltered(plan, embed))
    .map((embed) => lateralSql(plan, embed, parameters, source !== undefined))
    .join('');
  const from = source?.records ?? tableName(plan);
  return `select 1 from ${from} as ${quoteIdentifier(plan.alias)}${laterals}${whereSql(plan, plan.conditions, parameters)}`;
}

function tableName({ schema, table }: ReadPlan): string {
  return qualifiedName({ schema, name: table });
}

/** @param source.hoists leaves aggregates to the resource that contains the spread */
function rowsSql(
  plan: ReadPlan,
  parameters: Parameters,
  source: JoinedSource & { hoists: boolean; isRecord: boolean },
): string {
  const laterals = plan.embeds.map((embed) => lateralSql(plan, embed, parameters, source.isRecord)).join('');
  const condition = whereSql(plan, plan.conditions, parameters);
  const joinConditions = source.join.length > 0 ? `${condition ? ' and ' : ' where '}${source.join.join(' and ')}` : '';
  const { list, groupBy } = selectSql(plan, parameters, source);
  return (
    `select ${list} from ${source.from} as ${quoteIdentifier(plan.alias)}${laterals}` +
    `${condition}${joinConditions}${groupBy}${orderSql(plan, parameters, source.isRecord)}${rangeSql(plan, parameters)}`
  );
}

/** Returns whether a condition tests the embedded resource for null, so that its subquery must be joined. */
function isFiltered(plan: ReadPlan, embed: EmbedPlan): boolean {
  const isOnEmbed = (condition: ReadPlan['conditions'][number]): boolean =>
    condition.kind === 'filter' ? condition.field.name === embed.key : condition.operands.some(isOnEmbed);
  return plan.conditions.some(isOnEmbed);
}

function lateralSql(parent: ReadPlan, embed: EmbedPlan, parameters: Parameters, isRecord: boolean): string {
  const hoists = embed.isSpread && embed.isToOne;
  const rows = rowsSql(embed.plan, parameters, { ...joinSql(parent, embed, isRecord), hoists, isRecord: false });
  const lateral = quoteIdentifier(embed.lateral);
  const kind = embed.isInner ? 'inner' : 'left';
  const on = embed.isInner ? `${embedPresenceSql(embed)} is not null` : 'true';
  return ` ${kind} join lateral (select ${lateralColumnsSql(embed)} from (${rows}) as "__row") as ${lateral} on ${on}`;
}

function lateralColumnsSql(embed: EmbedPlan): string {
  if (embed.isSpread) {
    const names = spreadColumns(embed.plan).map(({ column }) => quoteIdentifier(column));
    const columns = embed.isToOne
      ? names.map((name) => `"__row".${name}`)
      : names.map((name) => `coalesce(json_agg("__row".${name}), '[]') as ${name}`);
    return [...columns, embed.isToOne ? 'true as "__present"' : 'nullif(count(*), 0) as "__present"'].join(', ');
  }
  if (embed.isToOne) return 'row_to_json("__row") as "value", true as "__present"';
  return 'json_agg("__row") as "value", nullif(count(*), 0) as "__present"';
}

function joinSql(parent: ReadPlan, embed: EmbedPlan, isRecord: boolean): JoinedSource {
  const { relationship, plan, lateral } = embed;
  const { junction, computedBy } = relationship;
  const parentColumn = (column: string) => `${quoteIdentifier(parent.alias)}.${quoteIdentifier(column)}`;
  const foreignColumn = (column: string) => `${quoteIdentifier(plan.alias)}.${quoteIdentifier(column)}`;
  if (computedBy !== null) {
    const functionName = qualifiedName({ schema: plan.schema, name: computedBy });
    return { from: `${functionName}(${rowSql(parent, isRecord)})`, join: [] };
  }
  if (junction === null) {
    const join = relationship.columns.map(([left, right]) => `${parentColumn(left)} = ${foreignColumn(right)}`);
    return { from: tableName(plan), join };
  }
  const junctionAlias = quoteIdentifier(`${lateral}_j`);
  const junctionColumn = (column: string) => `${junctionAlias}.${quoteIdentifier(column)}`;
  return {
    from: `${qualifiedName(junction.table)} as ${junctionAlias} cross join ${tableName(plan)}`,
    join: [
      ...relationship.columns.map(([left, right]) => `${parentColumn(left)} = ${junctionColumn(right)}`),
      ...junction.columns.map(([left, right]) => `${junctionColumn(left)} = ${foreignColumn(right)}`),
    ],
  };
}

/** Casts a row to its table's type, which selects the overload of a function. */
function rowSql(plan: ReadPlan, isRecord: boolean): string {
  const alias = quoteIdentifier(plan.alias);
  if (!isRecord) return `${alias}.*`;
  const columns = [...plan.columns.keys()].map((name) => `${alias}.${quoteIdentifier(name)}`);
  return `row(${columns.join(', ')})::${tableName(plan)}`;
}

function orderSql(plan: ReadPlan, parameters: Parameters, isRecord: boolean): string {
  if (plan.order.length === 0) return '';
  const terms = plan.order.map((term) => {
    const direction = term.direction === null ? '' : ` ${term.direction}`;
    const nulls = term.nulls === null ? '' : ` nulls ${term.nulls}`;
    return `${orderValueSql(plan, term, parameters, isRecord)}${direction}${nulls}`;
  });
  return ` order by ${terms.join(', ')}`;
}

/**
 * Returns the SQL of an order term. A column of a to-one resource is read by a subquery, because the select list may
 * not contain it. If there are aggregates, it is read from the lateral join, because a group has only selected columns.
 */
function orderValueSql(plan: ReadPlan, term: PlannedOrder, parameters: Parameters, isRecord: boolean): string {
  const { embed, field } = term;
  if (!embed) return fieldSql(plan, field, parameters);
  const target = embed.plan;
  if (plan.isAggregated) return fieldSql({ alias: embed.lateral, columns: target.columns }, field, parameters);
  const { from, join } = joinSql(plan, embed, isRecord);
  const value = fieldSql(target, field, parameters);
  const condition = whereSql(target, target.conditions, parameters);
  const on = join.length === 0 ? '' : `${condition ? ' and ' : ' where '}${join.join(' and ')}`;
  return `(select ${value} from ${from} as ${quoteIdentifier(target.alias)}${condition}${on} limit 1)`;
}

function rangeSql({ range }: ReadPlan, parameters: Parameters): string {
  const limit = range.limit === null ? '' : ` limit ${parameters.add(range.limit)}::bigint`;
  return range.offset === 0 ? limit : `${limit} offset ${parameters.add(range.offset)}::bigint`;
}
