/** Syntax tree of a query string. Names are as the client wrote them, not resolved against the schema. */

/** One step of a JSON path: -> returns JSON, ->> returns text. */
export interface JsonStep {
  arrow: '->' | '->>';
  /** A key, or an array index. */
  operand: { key: string } | { index: number };
}

export interface Field {
  name: string;
  path: readonly JsonStep[];
}

export type Aggregate = 'avg' | 'count' | 'max' | 'min' | 'sum';

export interface SelectField {
  kind: 'field';
  field: Field;
  alias: string | null;
  /** Cast of the value before it is aggregated. */
  cast: string | null;
  /** `count()` without a column counts `*`. */
  aggregate: { function: Aggregate; cast: string | null } | null;
}

export interface SelectEmbed {
  kind: 'embed';
  relation: string;
  alias: string | null;
  /** Constraint, column or join table that selects one of several relationships. */
  hint: string | null;
  join: 'inner' | 'left' | null;
  isSpread: boolean;
  select: readonly SelectItem[];
}

export type SelectItem = SelectField | SelectEmbed;

export type Comparison =
  | 'eq'
  | 'neq'
  | 'gt'
  | 'gte'
  | 'lt'
  | 'lte'
  | 'like'
  | 'ilike'
  | 'match'
  | 'imatch'
  | 'cs'
  | 'cd'
  | 'ov'
  | 'sl'
  | 'sr'
  | 'nxr'
  | 'nxl'
  | 'adj'
  | 'isdistinct';

export type Operation =
  | { kind: 'compare'; operator: Comparison; quantifier: 'any' | 'all' | null; value: string }
  | { kind: 'in'; values: readonly string[] }
  | { kind: 'is'; value: 'null' | 'not_null' | 'true' | 'false' | 'unknown' }
  | { kind: 'search'; operator: 'fts' | 'plfts' | 'phfts' | 'wfts'; language: string | null; value: string };

export interface Filter {
  kind: 'filter';
  field: Field;
  isNegated: boolean;
  operation: Operation;
}

interface LogicGroup {
  kind: 'group';
  operator: 'and' | 'or';
  isNegated: boolean;
  operands: readonly Condition[];
}

export type Condition = Filter | LogicGroup;

export interface OrderTerm {
  /** The embedded resource of the column, or null for a column of the resource itself. */
  relation: string | null;
  field: Field;
  direction: 'asc' | 'desc' | null;
  nulls: 'first' | 'last' | null;
}

export interface Range {
  limit: number | null;
  offset: number;
}

/** A clause of the queried resource (empty path) or of an embedded resource. */
export interface AtPath<T> {
  path: readonly string[];
  value: T;
}

export interface Query {
  select: readonly SelectItem[];
  conditions: readonly AtPath<Condition>[];
  orders: readonly AtPath<readonly OrderTerm[]>[];
  ranges: readonly AtPath<Range>[];
  columns: readonly string[] | null;
  onConflict: readonly string[] | null;
  /** All other parameters, as arguments of a function call. */
  arguments: readonly [name: string, value: string][];
}
