/** Plan of a query: the tables to read, and how embedded resources are joined. */
import type { Condition, OrderTerm, Range, SelectField } from '../parse/query-types.ts';
import type { Column, Relationship } from '../schema/schema-cache.ts';

export interface ReadPlan {
  schema: string;
  table: string;
  /** Alias of the table in SQL. */
  alias: string;
  columns: ReadonlyMap<string, Column>;
  fields: SelectField[];
  /** True if the rows are grouped, because this resource or one that is spread into it has aggregates. */
  isAggregated: boolean;
  embeds: EmbedPlan[];
  conditions: Condition[];
  order: PlannedOrder[];
  range: Range;
}

export interface PlannedOrder extends OrderTerm {
  embed: EmbedPlan | null;
}

export interface EmbedPlan {
  /** The key in the response. */
  key: string;
  relation: string;
  alias: string | null;
  relationship: Relationship;
  isToOne: boolean;
  isInner: boolean;
  isSpread: boolean;
  /** The alias of the lateral subquery. */
  lateral: string;
  plan: ReadPlan;
}
