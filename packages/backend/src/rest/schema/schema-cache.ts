/** Description of an exposed schema, used for all types, keys, relationships and functions of the table API. */

export interface Column {
  name: string;
  /** As Postgres formats it, such as `character varying(20)` or `public.mood`: usable as SQL. */
  type: string;
  /** The type with domains resolved, such as `jsonb`. */
  baseType: string;
  /** The default as SQL, or null. */
  defaultSql: string | null;
  nullable: boolean;
  /** Generated always, as identity or expression. */
  isGenerated: boolean;
  enumValues: readonly string[] | null;
  /** True for a stored tsvector, which is searched without parsing text. */
  isDocument: boolean;
  /** The text search configurations of the indexes on this column, such as `english`. */
  searchedIn: readonly string[];
}

/** Schema and name. Together they do not depend on the search path. */
export interface Qualified {
  schema: string;
  name: string;
}

export interface Table extends Qualified {
  isView: boolean;
  isInsertable: boolean;
  isUpdatable: boolean;
  columns: ReadonlyMap<string, Column>;
  /** Columns of the primary key. For a view, if it selects all of them. */
  primaryKey: readonly string[];
}

/** A relationship as seen from one table or view: pairs of equal columns, or a function that returns the rows. */
export interface Relationship {
  table: string;
  foreignTable: string;
  cardinality: 'many-to-one' | 'one-to-many' | 'one-to-one' | 'many-to-many';
  /** The foreign key; for many-to-many the two of the join table; '' for a computed relationship. */
  constraint: string;
  /** [column of table, column of foreignTable]; for many-to-many [column of table, column of the join table]. */
  columns: readonly (readonly [string, string])[];
  junction: Junction | null;
  /** True if the foreign key is on this side. */
  ownsKey: boolean;
  isSelf: boolean;
  foreignIsView: boolean;
  /** The function of a computed relationship. */
  computedBy: string | null;
}

interface Junction {
  table: Qualified;
  secondConstraint: string;
  /** [column of the join table, column of foreignTable]. */
  columns: readonly (readonly [string, string])[];
}

export interface Parameter {
  name: string;
  type: string;
  isRequired: boolean;
  isVariadic: boolean;
}

export interface RestFunction extends Qualified {
  parameters: readonly Parameter[];
  isVolatile: boolean;
  returnsSet: boolean;
  /** `void`, one value, or a row with columns. */
  returns: 'void' | 'scalar' | 'row';
  returnType: string;
  /** The table of the returned rows, if any. Relationships start from it. */
  returnTable: string | null;
  /** Columns of a row, from the function's table or out parameters. */
  columns: readonly { name: string; type: string }[];
}

export interface SchemaCache {
  /** The schema that is described. */
  name: string;
  tables: ReadonlyMap<string, Table>;
  /** Relationships by the table they start from. */
  relationships: ReadonlyMap<string, readonly Relationship[]>;
  /** Overloads share a name, and are sorted by number of parameters. */
  functions: ReadonlyMap<string, readonly RestFunction[]>;
  /** Functions with an unnamed row parameter: computed fields and relationships, which cannot be called. */
  computed: ReadonlySet<string>;
}
