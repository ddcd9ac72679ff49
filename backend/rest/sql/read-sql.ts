/** ReadPlan -> SELECT. Each embedded resource is a lateral subquery that aggregates its rows into JSON. */
import type { EmbedPlan, PlannedOrder, ReadPlan } from '../plan/read-plan.ts';
import { answerKey } from '../plan/read-plan.ts';
import { embedPresenceSql, fieldSql, whereSql } from './condition-sql.ts';
import { inPublic, type Parameters, quoteIdentifier, quoteType } from './sql-text.ts';

/** The rows of a plan. `from` replaces the table where the rows come from a mutation or a function. */
export function readSql(
  plan: ReadPlan,
  parameters: Parameters,
  options: { from?: string; join?: string[] } = {},
): string {
  const from = options.from ?? inPublic(plan.table);
  const laterals = plan.embeds.map((embed) => lateralSql(plan, embed, parameters)).join('');
  const where = whereSql(plan, plan.conditions, parameters);
  const joinConditions = options.join?.length ? `${where ? ' and ' : ' where '}${options.join.join(' and ')}` : '';
  return (
    `select ${selectListSql(plan, parameters)} from ${from} as ${quoteIdentifier(plan.alias)}${laterals}` +
    `${where}${joinConditions}${orderSql(plan, parameters)}${rangeSql(plan, parameters)}`
  );
}

/** How many rows there are regardless of the range. */
export function countSql(plan: ReadPlan, parameters: Parameters, options: { from?: string } = {}): string {
  const from = options.from ?? inPublic(plan.table);
  const laterals = plan.embeds
    .filter((embed) => embed.isInner || isFiltered(plan, embed))
    .map((embed) => lateralSql(plan, embed, parameters))
    .join('');
  return `select 1 from ${from} as ${quoteIdentifier(plan.alias)}${laterals}${whereSql(plan, plan.conditions, parameters)}`;
}

/** Whether a condition mentions the embedded resource itself; then its subquery must be joined. */
function isFiltered(plan: ReadPlan, embed: EmbedPlan): boolean {
  const mentions = (condition: ReadPlan['conditions'][number]): boolean =>
    condition.kind === 'filter' ? condition.field.name === embed.key : condition.operands.some(mentions);
  return plan.conditions.some(mentions);
}

function selectListSql(plan: ReadPlan, parameters: Parameters): string {
  const fields = plan.fields.map((item) => {
    const value = fieldSql(plan, item.field, parameters);
    const key = answerKey(item);
    if (item.field.name === '*' && item.field.path.length === 0) return value;
    if (item.cast !== null) return `${value}::${quoteType(item.cast)} as ${quoteIdentifier(key ?? item.field.name)}`;
    return key === null ? value : `${value} as ${quoteIdentifier(key)}`;
  });
  const embeds = plan.embeds.flatMap((embed) => embedColumnsSql(embed));
  return [...fields, ...embeds].join(', ');
}

function embedColumnsSql(embed: EmbedPlan): string[] {
  const lateral = quoteIdentifier(embed.lateral);
  if (embed.isSpread) {
    return spreadKeys(embed.plan).map((key) => `${lateral}.${quoteIdentifier(key)}`);
  }
  if (isEmpty(embed.plan)) return [];
  if (embed.isToOne) return [`${lateral}."value" as ${quoteIdentifier(embed.key)}`];
  return [`coalesce(${lateral}."value", '[]') as ${quoteIdentifier(embed.key)}`];
}

/** `authors()` joins and filters without showing anything. */
function isEmpty(plan: ReadPlan): boolean {
  return plan.fields.length === 0 && plan.embeds.every((embed) => isEmpty(embed.plan));
}

/** The columns that a spread resource contributes. */
function spreadKeys(plan: ReadPlan): string[] {
  const own = plan.fields.flatMap((item) =>
    item.field.name === '*' ? [...plan.columns.keys()] : [answerKey(item) ?? item.field.name],
  );
  const nested = plan.embeds.flatMap((embed) => {
    if (embed.isSpread) return spreadKeys(embed.plan);
    return isEmpty(embed.plan) ? [] : [embed.key];
  });
  return [...new Set([...own, ...nested])];
}

function lateralSql(parent: ReadPlan, embed: EmbedPlan, parameters: Parameters): string {
  const { from, conditions } = joinSql(parent, embed);
  const rows = readSql(embed.plan, parameters, { from, join: conditions });
  const lateral = quoteIdentifier(embed.lateral);
  const kind = embed.isInner ? 'inner' : 'left';
  const on = embed.isInner ? `${embedPresenceSql(embed)} is not null` : 'true';
  return ` ${kind} join lateral (select ${lateralColumnsSql(embed)} from (${rows}) as "__row") as ${lateral} on ${on}`;
}

function lateralColumnsSql(embed: EmbedPlan): string {
  if (embed.isSpread) {
    const keys = spreadKeys(embed.plan).map(quoteIdentifier);
    const columns = embed.isToOne
      ? keys.map((key) => `"__row".${key}`)
      : keys.map((key) => `coalesce(json_agg("__row".${key}), '[]') as ${key}`);
    return [...columns, embed.isToOne ? 'true as "__present"' : 'nullif(count(*), 0) as "__present"'].join(', ');
  }
  if (embed.isToOne) return 'row_to_json("__row") as "value", true as "__present"';
  return 'json_agg("__row") as "value", nullif(count(*), 0) as "__present"';
}

function joinSql(parent: ReadPlan, embed: EmbedPlan): { from: string; conditions: string[] } {
  const { relationship, plan } = embed;
  const own = (column: string) => `${quoteIdentifier(parent.alias)}.${quoteIdentifier(column)}`;
  const foreign = (column: string) => `${quoteIdentifier(plan.alias)}.${quoteIdentifier(column)}`;
  const { junction } = relationship;
  if (junction === null) {
    return {
      from: inPublic(relationship.foreignTable),
      conditions: relationship.columns.map(([left, right]) => `${own(left)} = ${foreign(right)}`),
    };
  }
  const junctionAlias = quoteIdentifier(`${embed.lateral}_j`);
  const through = (column: string) => `${junctionAlias}.${quoteIdentifier(column)}`;
  return {
    from: `${inPublic(junction.table)} as ${junctionAlias} cross join ${inPublic(relationship.foreignTable)}`,
    conditions: [
      ...relationship.columns.map(([left, right]) => `${own(left)} = ${through(right)}`),
      ...junction.columns.map(([left, right]) => `${through(left)} = ${foreign(right)}`),
    ],
  };
}

function orderSql(plan: ReadPlan, parameters: Parameters): string {
  if (plan.order.length === 0) return '';
  const terms = plan.order.map((term) => {
    const direction = term.direction === null ? '' : ` ${term.direction}`;
    const nulls = term.nulls === null ? '' : ` nulls ${term.nulls}`;
    return `${orderedSql(plan, term, parameters)}${direction}${nulls}`;
  });
  return ` order by ${terms.join(', ')}`;
}

/** A column of a to-one resource is looked up again, because the select list need not contain it. */
function orderedSql(plan: ReadPlan, term: PlannedOrder, parameters: Parameters): string {
  if (!term.embed) return fieldSql(plan, term.field, parameters);
  const { from, conditions } = joinSql(plan, term.embed);
  const target = term.embed.plan;
  const value = fieldSql(target, term.field, parameters);
  const where = whereSql(target, target.conditions, parameters);
  return `(select ${value} from ${from} as ${quoteIdentifier(target.alias)}${where}${where ? ' and ' : ' where '}${conditions.join(' and ')} limit 1)`;
}

function rangeSql({ range }: ReadPlan, parameters: Parameters): string {
  const limit = range.limit === null ? '' : ` limit ${parameters.add(range.limit)}::bigint`;
  return range.offset === 0 ? limit : `${limit} offset ${parameters.add(range.offset)}::bigint`;
}
