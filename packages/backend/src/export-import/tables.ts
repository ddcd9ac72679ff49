/** Tables of a deployment with the exact text of their rows, and the sequences and policies that must be equal. */
import type { Transaction } from '../database/database.ts';
import { RowSum, type RowValues, writeRow } from './row-text.ts';

export interface Table {
  schema: string;
  name: string;
  /** Excludes generated columns, which the target computes. */
  columns: { name: string; type: string }[];
}

/** Tables that each deployment fills itself: migration records, stored bytes, unfinished uploads and options. */
const EXCLUDED = [
  'backend.bootstrap',
  'backend.applied_files',
  'backend.unnamed_bytes',
  'backend.resumable_uploads',
  'backend.resumable_pieces',
  'backend.running_backups',
  'backend.kept_buckets',
  'supabase_migrations.schema_migrations',
];

/** A Supabase project has many more tables in these schemas, which belong to its platform. */
const IN_PROJECT = `(
  n.nspname in ('public', 'private') or (n.nspname = 'auth' and c.relname <> 'schema_migrations')
  or (n.nspname = 'storage' and c.relname in ('buckets', 'objects'))
)`;

const IN_OWN_DEPLOYMENT = `n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'extensions')`;

/** Lists the exported tables by name. */
export async function listTables(tx: Transaction, isProject: boolean): Promise<Table[]> {
  const { rows } = await tx.query<{ schema: string; name: string; columns: string }>(
    `select n.nspname as schema, c.relname as name, (
       select coalesce(json_agg(json_build_object('name', attname, 'type', format_type(atttypid, null)) order by attnum), '[]')
       from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
     )::text as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and ${isProject ? IN_PROJECT : IN_OWN_DEPLOYMENT}
       and n.nspname || '.' || c.relname <> all ($1::text[])
       and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')
     order by 1, 2`,
    [EXCLUDED],
  );
  return rows.map(({ schema, name, columns }): Table => ({ schema, name, columns: JSON.parse(columns) }));
}

export function tableSql({ schema, name }: Pick<Table, 'schema' | 'name'>): string {
  return `${quote(schema)}.${quote(name)}`;
}

export function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/** Sets output formats in which every server parses the text of a value as the same value. */
export async function setOutputFormats(tx: Transaction): Promise<void> {
  await tx.query(`select set_config(name, value, true) from (values
    ('datestyle', 'ISO, YMD'), ('timezone', 'UTC'), ('intervalstyle', 'postgres'), ('bytea_output', 'hex'),
    ('extra_float_digits', '1'), ('xmloption', 'content'), ('search_path', 'pg_catalog'), ('statement_timeout', '0'),
    ('idle_in_transaction_session_timeout', '0')) settings (name, value)`);
}

/** Approximate maximum of row data in memory, in bytes. */
const BATCH_BYTES = 1_000_000;
const BATCH_SIZES = [10, 100, 1000];

let cursors = 0;

/** Yields the rows of a table in batches. Needs a transaction for its cursor. */
export async function* readRows(
  tx: Transaction,
  table: Pick<Table, 'schema' | 'name'>,
  columns: readonly string[],
): AsyncGenerator<RowValues[]> {
  // A unique name, because statements are prepared by their text.
  const cursor = `rows_${cursors++}`;
  const values = columns.map((column, index) => `${quote(column)}::text as c${index}`).join(', ');
  await tx.query(`declare ${cursor} no scroll cursor for select ${values} from only ${tableSql(table)}`);
  for (let count = 10; ; ) {
    const { rows } = await tx.query<Record<string, string | null>>(`fetch ${count} from ${cursor}`);
    const batch = rows.map((row) => Object.values(row));
    if (batch.length > 0) yield batch;
    if (batch.length < count) break;
    const bytes = batch.reduce((sum, row) => sum + row.reduce((size, value) => size + (value?.length ?? 0), 0), 0);
    count = BATCH_SIZES.findLast((next) => (bytes / batch.length) * next < BATCH_BYTES) ?? 1;
  }
  await tx.query(`close ${cursor}`);
}

export async function sumRows(tx: Transaction, table: Table, columns: readonly string[]): Promise<RowSum> {
  const sum = new RowSum();
  for await (const batch of readRows(tx, table, columns)) for (const row of batch) sum.add(writeRow(row));
  return sum;
}

export interface Sequence {
  /** Qualified and quoted name. */
  name: string;
  /** As text, because it may exceed the exact range of a number; null if the sequence was never used. */
  value: string | null;
}

export async function listSequences(tx: Transaction, tables: readonly Table[]): Promise<Sequence[]> {
  const schemas = [...new Set(tables.map(({ schema }) => schema))];
  const { rows } = await tx.query<Sequence>(
    `select format('%I.%I', schemaname, sequencename) as name, last_value::text as value
     from pg_sequences where schemaname = any ($1::text[]) order by 1`,
    [schemas],
  );
  return rows;
}

/** Lists policies, one line each. Postgres versions format their expressions differently. */
export async function listPolicies(tx: Transaction, tables: readonly Table[]): Promise<[rule: string, text: string][]> {
  const { rows } = await tx.query<{ rule: string; text: string }>(
    `select format('%s.%s %s %s %s for %s', schemaname, tablename, policyname, permissive, roles, cmd) as rule,
       format('using %s check %s', qual, with_check) as text
     from pg_policies where schemaname || '.' || tablename = any ($1::text[]) order by 1`,
    [tables.map(({ schema, name }) => `${schema}.${name}`)],
  );
  return rows.map(({ rule, text }) => [rule, text]);
}
