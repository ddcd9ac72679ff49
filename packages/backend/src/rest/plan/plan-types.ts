/** Plan of a query: which tables are read, and how embedded resources hang together. */
import type { Condition, OrderTerm, Range, SelectField } from '../parse/query-types.ts';
import type { Column, Relationship } from '../schema/schema-cache.ts';

export interface ReadPlan {
  schema: string;
  /** The name under which its columns are addressed. */
  table: string;
  alias: string;
  columns: ReadonlyMap<string, Column>;
  fields: SelectField[];
  /** True if aggregates group its rows. They can be its own or those of a resource spread into it. */
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
  /** The key in the answer. */
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
