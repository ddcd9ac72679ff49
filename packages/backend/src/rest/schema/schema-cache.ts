/** Description of an exposed schema: the types, keys, relationships and functions that the table API uses. */

export interface Column {
  name: string;
  /** Type as formatted by Postgres and usable as SQL, such as `character varying(20)` or `public.mood`. */
  type: string;
  /** Type without a length and with domains resolved, such as `jsonb`. */
  baseType: string;
  /** The default as SQL, or null. */
  defaultSql: string | null;
  nullable: boolean;
  /** True for a generated column, and for an identity column that is GENERATED ALWAYS. */
  isGenerated: boolean;
  enumValues: readonly string[] | null;
  /** True for a stored tsvector, which is searched without parsing text. */
  isDocument: boolean;
  /** The text search configurations of the indexes on this column, such as `english`. */
  indexedLanguages: readonly string[];
}

/** Schema-qualified name, which does not depend on the search path. */
export interface Qualified {
  schema: string;
  name: string;
}

export interface Table extends Qualified {
  isView: boolean;
  isInsertable: boolean;
  isUpdatable: boolean;
  columns: ReadonlyMap<string, Column>;
  /** Columns of the primary key. A view has the primary key of a table if it selects all key columns. */
  primaryKey: readonly string[];
}

/** A relationship as seen from one table or view: pairs of equal columns, or a function that returns the rows. */
export interface Relationship {
  table: string;
  foreignTable: string;
  cardinality: 'many-to-one' | 'one-to-many' | 'one-to-one' | 'many-to-many';
  /** Name of the foreign key (for many-to-many, the first of the join table). Empty for a computed relationship. */
  constraint: string;
  /** [column of table, column of foreignTable], or for many-to-many [column of table, column of the join table]. */
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
  returns: 'void' | 'scalar' | 'row';
  returnType: string;
  /** Table whose rows are returned, or null. Embedded resources are related to it. */
  returnTable: string | null;
  /** Columns of a row, from the function's table or out parameters. */
  columns: readonly { name: string; type: string }[];
}

export interface SchemaCache {
  /** Name of the schema. */
  name: string;
  tables: ReadonlyMap<string, Table>;
  /** Relationships by the table they start from. */
  relationships: ReadonlyMap<string, readonly Relationship[]>;
  /** Overloads by name, sorted by number of parameters. */
  functions: ReadonlyMap<string, readonly RestFunction[]>;
  /** Functions with an unnamed row parameter: computed fields and relationships, which cannot be called. */
  computed: ReadonlySet<string>;
}
