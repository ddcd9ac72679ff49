/** What the table API knows of the schema `public`: the only source of types, keys, relationships and functions. */

export interface Column {
  name: string;
  /** As Postgres formats it, such as `character varying(20)`: usable as SQL. */
  type: string;
  /** The type with a domain resolved, such as `jsonb`. */
  baseType: string;
  /** The default as SQL, or null. */
  defaultSql: string | null;
  nullable: boolean;
  /** Generated always, as identity or as expression. */
  isGenerated: boolean;
  enumValues: readonly string[] | null;
}

export interface Table {
  name: string;
  isView: boolean;
  isInsertable: boolean;
  isUpdatable: boolean;
  columns: ReadonlyMap<string, Column>;
  primaryKey: readonly string[];
}

/** A relationship as seen from one table: the pairs of columns that must be equal. */
export interface Relationship {
  table: string;
  foreignTable: string;
  cardinality: 'many-to-one' | 'one-to-many' | 'one-to-one' | 'many-to-many';
  /** The foreign key; for many-to-many the two of the join table. */
  constraint: string;
  /** [column of table, column of foreignTable]; for many-to-many [column of table, column of the join table]. */
  columns: readonly (readonly [string, string])[];
  junction: Junction | null;
  /** Whether the foreign key is on this side. */
  ownsKey: boolean;
  isSelf: boolean;
}

interface Junction {
  table: string;
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

export interface RestFunction {
  name: string;
  parameters: readonly Parameter[];
  isVolatile: boolean;
  returnsSet: boolean;
  /** `void`, one value, or a row with columns. */
  returns: 'void' | 'scalar' | 'row';
  returnType: string;
  /** The table whose rows are returned, if they are; relationships start from it. */
  returnTable: string | null;
  /** What table and out parameters make of a row. */
  columns: readonly { name: string; type: string }[];
}

export interface SchemaCache {
  tables: ReadonlyMap<string, Table>;
  /** By the table they start from. */
  relationships: ReadonlyMap<string, readonly Relationship[]>;
  /** Overloads share a name. */
  functions: ReadonlyMap<string, readonly RestFunction[]>;
}
