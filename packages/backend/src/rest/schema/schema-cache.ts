/** Description of an exposed schema: the table API's only source of types, keys, relationships and functions. */

export interface Column {
  name: string;
  /** As Postgres formats it, such as `character varying(20)` or `public.mood`: usable as SQL. */
  type: string;
  /** The type with a domain resolved, such as `jsonb`. */
  baseType: string;
  /** The default as SQL, or null. */
  defaultSql: string | null;
  nullable: boolean;
  /** Generated always, as identity or as expression. */
  isGenerated: boolean;
  enumValues: readonly string[] | null;
  /**
   * True when it holds a search document that was made when the row was written, so that searching it only compares.
   */
  isDocument: boolean;
  /** The text search configurations of the indexes on its documents, such as `english`. */
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
  /** Columns of the primary key; for a view, if it shows all of them. */
  primaryKey: readonly string[];
}

/**
 * A relationship as seen from one table or view: the pairs of columns that must be equal, or the function that finds
 * the rows.
 */
export interface Relationship {
  table: string;
  foreignTable: string;
  cardinality: 'many-to-one' | 'one-to-many' | 'one-to-one' | 'many-to-many';
  /** The foreign key; for many-to-many the two of the join table; '' for a computed relationship. */
  constraint: string;
  /** [column of table, column of foreignTable]; for many-to-many [column of table, column of the join table]. */
  columns: readonly (readonly [string, string])[];
  junction: Junction | null;
  /** True when the foreign key is on this side. */
  ownsKey: boolean;
  isSelf: boolean;
  foreignIsView: boolean;
  /** The function over a row of the table that makes it a computed relationship. */
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
  /** The table whose rows are returned, if they are; relationships start from it. */
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
  /** Overloads share a name; those with fewer parameters come first. */
  functions: ReadonlyMap<string, readonly RestFunction[]>;
  /** Functions over a row without a name: computed fields and relationships, which cannot be called. */
  computed: ReadonlySet<string>;
}
