/** The select list of a ReadPlan, and its GROUP BY if there are aggregates. */
import { isWholeRow } from '../parse/parse-field.ts';
import type { SelectField } from '../parse/query-types.ts';
import type { EmbedPlan, ReadPlan } from '../plan/plan-types.ts';
import { responseKey } from '../plan/read-plan.ts';
import { fieldSql } from './condition-sql.ts';
import { type Parameters, quoteIdentifier, quoteType } from './sql-text.ts';

interface SelectedColumn {
  sql: string;
  isAggregate: boolean;
}

/** @param options.hoists selects inputs of aggregates unchanged, for the resource that contains the spread */
export function selectSql(
  plan: ReadPlan,
  parameters: Parameters,
  { hoists }: { hoists: boolean },
): { list: string; groupBy: string } {
  const isGrouped = plan.isAggregated && !hoists;
  const names = hoistedNames();
  const aggregate = (value: string, { function: name, cast }: NonNullable<SelectField['aggregate']>, key: string) =>
    hoists
      ? { sql: `${value === '*' ? 'true' : value} as ${quoteIdentifier(names.next())}`, isAggregate: true }
      : { sql: `${name}(${value})${castSql(cast)} as ${quoteIdentifier(key)}`, isAggregate: true };
  const columns: SelectedColumn[] = [
    ...plan.fields.flatMap((item) => fieldColumns(plan, item, parameters, { isGrouped, aggregate })),
    ...plan.embeds.flatMap((embed) => embedColumns(embed, { isGrouped, aggregate })),
  ];
  const groups = columns.flatMap(({ isAggregate }, index) => (isAggregate ? [] : [index + 1]));
  return {
    list: columns.map(({ sql }) => sql).join(', '),
    groupBy: isGrouped && groups.length > 0 ? ` group by ${groups.join(', ')}` : '',
  };
}

interface Grouping {
  isGrouped: boolean;
  aggregate(value: string, aggregate: NonNullable<SelectField['aggregate']>, key: string): SelectedColumn;
}

function fieldColumns(
  plan: ReadPlan,
  item: SelectField,
  parameters: Parameters,
  { isGrouped, aggregate }: Grouping,
): SelectedColumn[] {
  const { field, cast } = item;
  const key = responseKey(item);
  if (isWholeRow(field)) {
    if (item.aggregate) return [aggregate('*', item.aggregate, key ?? item.aggregate.function)];
    // Groups are identified by column position, so each column needs one.
    const names = isGrouped ? [...plan.columns.keys()] : ['*'];
    return names.map((name) => plainColumn(fieldSql(plan, { name, path: [] }, parameters)));
  }
  const value = `${fieldSql(plan, field, parameters)}${castSql(cast)}`;
  if (item.aggregate) return [aggregate(value, item.aggregate, key ?? item.aggregate.function)];
  const name = key ?? (cast === null ? null : field.name);
  return [plainColumn(name === null ? value : `${value} as ${quoteIdentifier(name)}`)];
}

function embedColumns(embed: EmbedPlan, { isGrouped, aggregate }: Grouping): SelectedColumn[] {
  const lateral = quoteIdentifier(embed.lateral);
  // The type json has no equality, so it cannot be grouped.
  const comparable = isGrouped ? '::jsonb' : '';
  if (embed.isSpread) {
    return spreadColumns(embed.plan).map(({ key, column, aggregate: outerAggregate, isJson }) => {
      const value = `${lateral}.${quoteIdentifier(column)}`;
      if (outerAggregate) return aggregate(value, outerAggregate, key);
      return plainColumn(isJson || !embed.isToOne ? `${value}${comparable} as ${quoteIdentifier(key)}` : value);
    });
  }
  if (isEmpty(embed.plan)) return [];
  const value = embed.isToOne ? `${lateral}."value"` : `coalesce(${lateral}."value", '[]')`;
  return [plainColumn(`${value}${comparable} as ${quoteIdentifier(embed.key)}`)];
}

function plainColumn(sql: string): SelectedColumn {
  return { sql, isAggregate: false };
}

function castSql(type: string | null): string {
  return type === null ? '' : `::${quoteType(type)}`;
}

/** `authors()` joins and filters without selecting anything. */
function isEmpty(plan: ReadPlan): boolean {
  return plan.fields.length === 0 && plan.embeds.every((embed) => isEmpty(embed.plan));
}

interface SpreadColumn {
  /** The key in the response. */
  key: string;
  /** The name within the statement. */
  column: string;
  /** Aggregate of the outer resource. */
  aggregate: SelectField['aggregate'];
  /** True if the inner query has converted it to JSON. */
  isJson: boolean;
}

/** Lists the columns of a spread resource, in the order of its select list. */
export function spreadColumns(plan: ReadPlan): SpreadColumn[] {
  const names = hoistedNames();
  const columns = new Map<string, SpreadColumn>();
  const add = (key: string, { aggregate = null, isJson = false }: Partial<SpreadColumn> = {}) => {
    const column = aggregate ? names.next() : key;
    columns.set(column, { key, column, aggregate, isJson });
  };
  for (const item of plan.fields) {
    if (item.aggregate) add(responseKey(item) ?? item.aggregate.function, item);
    else if (isWholeRow(item.field)) for (const name of plan.columns.keys()) add(name);
    else add(responseKey(item) ?? item.field.name);
  }
  for (const embed of plan.embeds) {
    if (embed.isSpread) {
      for (const { key, aggregate, isJson } of spreadColumns(embed.plan)) {
        add(key, { aggregate, isJson: isJson || !embed.isToOne });
      }
    } else if (!isEmpty(embed.plan)) add(embed.key, { isJson: true });
  }
  return [...columns.values()];
}

/** Unique names for columns that are aggregated in an outer query, because keys can repeat. */
function hoistedNames(): { next(): string } {
  let count = 0;
  return { next: () => `__aggregate_${count++}` };
}
