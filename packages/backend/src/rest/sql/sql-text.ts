/** The two ways in which anything from outside gets into a statement: as a parameter, or as a quoted identifier. */
import type { SqlValue, Statement } from '../../database/database.ts';
import type { Qualified } from '../schema/schema-cache.ts';

/** Collects the values of one statement while its text is put together. */
export class Parameters {
  readonly values: SqlValue[] = [];

  /** Returns the placeholder that stands for a value. */
  add(value: SqlValue): string {
    return `$${this.values.push(value)}`;
  }

  statement(text: string): Statement {
    return { text, values: this.values };
  }
}

/** Writes a name as an SQL identifier. Postgres cannot hold the character NUL, so it is dropped. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('\0', '').replaceAll('"', '""')}"`;
}

/** Writes a table or function, wherever the search path leads. */
export function qualifiedName({ schema, name }: Qualified): string {
  return `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
}

/** Type names that only the grammar knows; quoted they would not be found. */
const TYPE_ALIASES: ReadonlyMap<string, string> = new Map([
  ['int', 'int4'],
  ['integer', 'int4'],
  ['smallint', 'int2'],
  ['bigint', 'int8'],
  ['real', 'float4'],
  ['float', 'float8'],
  ['double precision', 'float8'],
  ['decimal', 'numeric'],
  ['boolean', 'bool'],
  ['char', 'bpchar'],
  ['character', 'bpchar'],
  ['character varying', 'varchar'],
  ['time without time zone', 'time'],
  ['time with time zone', 'timetz'],
  ['timestamp without time zone', 'timestamp'],
  ['timestamp with time zone', 'timestamptz'],
]);

/** Writes a type name as the target of a cast. */
export function quoteType(name: string): string {
  return quoteIdentifier(TYPE_ALIASES.get(name.toLowerCase()) ?? name);
}
