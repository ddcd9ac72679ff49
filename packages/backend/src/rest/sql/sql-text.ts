/** The only two ways to put external input in a statement: as a parameter, or as a quoted identifier. */
import type { SqlValue, Statement } from '../../database/database.ts';
import type { Qualified } from '../schema/schema-cache.ts';

/** Collects the parameters of a statement while its text is built. */
export class Parameters {
  readonly values: SqlValue[] = [];

  /** Returns the placeholder of a value. */
  add(value: SqlValue): string {
    return `$${this.values.push(value)}`;
  }

  statement(text: string): Statement {
    return { text, values: this.values };
  }
}

/** Quotes a name as an SQL identifier. Postgres cannot store NUL, so it is dropped. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('\0', '').replaceAll('"', '""')}"`;
}

/** Returns the quoted name of a table or function with its schema, which does not depend on the search path. */
export function qualifiedName({ schema, name }: Qualified): string {
  return `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
}

/** Type names that are keywords and cannot be quoted. */
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

/** Returns a type name for a cast. */
export function quoteType(name: string): string {
  return quoteIdentifier(TYPE_ALIASES.get(name.toLowerCase()) ?? name);
}
