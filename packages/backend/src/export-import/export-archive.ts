/** Writes a home (database and files) to an archive. The site can keep running. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Database, Transaction } from '../database/database.ts';
import { messageOf } from '../database/errors.ts';
import { migrationScript, readSqlFiles } from '../database/migrate.ts';
import { OperatorError } from '../database/operator-error.ts';
import { ArchiveWriter, type Manifest, type StoredFile } from './archive.ts';
import type { FileStore } from './files.ts';
import { RowSum, writeRow } from './row-text.ts';
import {
  listPolicies,
  listSequences,
  listTables,
  nameOf,
  quote,
  readRows,
  setTextForms,
  type Table,
} from './tables.ts';

/** Bytes are kept this long for an export that has stopped reporting. A running export reports every minute. */
const HOLD_INTERVAL = '1 hour';
const HOLD_AGAIN_MS = 60_000;

/** Timeout in milliseconds of a statement that reads the next rows of a table. */
export const STATEMENT_MS = 10 * 60_000;

export interface Source {
  database: Database;
  files: FileStore;
  /** supabase/migrations. */
  migrationsFolder: string;
  /** Version of this program. */
  version: string;
}

export interface ArchiveSummary {
  tables: number;
  rows: number;
  files: number;
  bytes: number;
  /** Messages about data that the other home cannot store. */
  leftOut: string[];
}

/**
 * Exports a snapshot of the database and the files that it refers to. Bytes never change, and none are deleted before
 * the end.
 * @throws OperatorError
 */
export async function exportArchive(source: Source, path: string): Promise<ArchiveSummary> {
  const writer = await ArchiveWriter.create(path);
  const hold = await retainBytes(source);
  try {
    const content = await source.database.transaction((tx) => writeDatabase(writer, source, tx));
    const files: Manifest['files'] = [];
    for (const file of content.stored) {
      await hold.renew();
      const bytes = await source.files.read(file).catch((cause) => {
        throw new OperatorError(`The file ${file.bucket}/${file.name} cannot be read: ${messageOf(cause)}`, {
          cause,
        });
      });
      files.push({ ...file, ...(await writer.add(`files/${file.version}`, bytes, false)) });
    }
    const { stored: _, ...manifest } = content;
    await writer.finish({ ...manifest, version: source.version, madeAt: new Date().toISOString(), files });
    return summary({ ...manifest, files });
  } catch (error) {
    await writer.discard();
    throw error;
  } finally {
    await hold.release();
  }
}

export function summary({ tables, files }: Pick<Manifest, 'tables' | 'files'>, leftOut: string[] = []): ArchiveSummary {
  return {
    tables: tables.length,
    rows: tables.reduce((sum, table) => sum + table.rows, 0),
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    leftOut,
  };
}

/** Keeps storage from deleting bytes: it checks for a row in backend.running_backups first. */
async function retainBytes({ database, files }: Source) {
  const { rows } = await database.query<{ can_hold: boolean }>(
    `select to_regclass('backend.running_backups') is not null as can_hold`,
  );
  if (files.isProject || !rows[0]?.can_hold) return { renew: async () => undefined, release: async () => undefined };
  const id = randomUUID();
  const tell = () =>
    database.query(
      `insert into backend.running_backups (id, until) values ($1, clock_timestamp() + $2::interval)
       on conflict (id) do update set until = excluded.until`,
      [id, HOLD_INTERVAL],
    );
  await tell();
  let toldAt = performance.now();
  return {
    async renew() {
      if (performance.now() - toldAt < HOLD_AGAIN_MS) return;
      await tell();
      toldAt = performance.now();
    },
    async release() {
      await database.query('delete from backend.running_backups where id = $1 or until < clock_timestamp()', [id]);
    },
  };
}

type Content = Pick<Manifest, 'isProject' | 'postgres' | 'applied' | 'tables' | 'sequences' | 'policies' | 'sql'> & {
  stored: StoredFile[];
};

async function writeDatabase(writer: ArchiveWriter, source: Source, tx: Transaction): Promise<Content> {
  await tx.run({ text: 'set transaction isolation level repeatable read, read only', deadlineMs: STATEMENT_MS });
  await setTextForms(tx);
  const { isProject } = source.files;
  const applied = await listApplied(tx);
  const tables = await listTables(tx, isProject);
  const sequences = await listSequences(tx, tables);
  const policies = await listPolicies(tx, tables);
  const stored = await listFiles(tx, isProject);
  const files = await readSqlFiles(source.migrationsFolder);
  const unknown = applied.find(({ name }) => !files.some((file) => file.name === name));
  if (unknown && !isProject) {
    throw new OperatorError(
      `The database has applied ${unknown.name}, which this version does not have. Start this version of the server once, or export with the version that the database belongs to.`,
    );
  }
  const schema = migrationScript(files, new Map(applied.map(({ name, sha256 }) => [name, sha256])));
  const written: Manifest['tables'] = [];
  const sql = {
    'schema.sql': await writer.add('schema.sql', Readable.from([Buffer.from(schema)]), true),
    'data.sql': await writer.add('data.sql', dataSql(tx, tables, sequences, written), true),
  };
  const { rows } = await tx.query<{ major: number }>(
    `select current_setting('server_version_num')::integer / 10000 as major`,
  );
  return { isProject, postgres: rows[0]?.major ?? 0, applied, tables: written, sequences, policies, sql, stored };
}

/** Lists the files applied to a database; [] for a database without our tables. */
export async function listApplied(tx: Pick<Transaction, 'query'>): Promise<Manifest['applied']> {
  const { rows } = await tx.query<{ own: string | null; hashes: string | null; migrations: string | null }>(
    `select to_regclass('backend.bootstrap') as own, to_regclass('backend.applied_files') as hashes,
       to_regclass('supabase_migrations.schema_migrations') as migrations`,
  );
  const { own, hashes, migrations } = rows[0] ?? {};
  const names = [
    own ? 'select name from backend.bootstrap' : null,
    migrations ? 'select version from supabase_migrations.schema_migrations' : null,
  ].filter((query) => query !== null);
  if (names.length === 0) return [];
  const applied = await tx.query<{ name: string; sha256: string | null }>(
    `select name, ${hashes ? 'sha256' : 'null::text as sha256'} from (${names.join(' union all ')}) applied (name)
     ${hashes ? 'left join backend.applied_files using (name)' : ''} order by name collate "C"`,
  );
  return applied.rows;
}

/** Lists the files of storage.objects, and for our own homes also the files in the trash. */
async function listFiles(tx: Transaction, isProject: boolean): Promise<StoredFile[]> {
  const columns = `version, bucket_id as bucket, name, coalesce(metadata ->> 'mimetype', 'application/octet-stream') as mimetype,
    coalesce(metadata ->> 'cacheControl', 'no-cache') as "cacheControl"`;
  const { rows } = await tx.query<{ rests: string | null }>(`select to_regclass('backend.deleted_objects') as rests`);
  const resting = rows[0]?.rests && !isProject ? `union select ${columns} from backend.deleted_objects` : '';
  const files = await tx.query<StoredFile>(
    `select ${columns} from storage.objects where version is not null ${resting} order by 1`,
  );
  return files.rows;
}

async function* dataSql(
  tx: Transaction,
  tables: readonly Table[],
  sequences: Manifest['sequences'],
  written: Manifest['tables'],
): AsyncGenerator<Buffer> {
  const names = tables.map(nameOf);
  yield Buffer.from(`begin;\nset local session_replication_role = replica;\ntruncate ${names.join(', ')} cascade;\n`);
  for (const table of tables) {
    const columns = table.columns.map(({ name }) => name);
    const sum = new RowSum();
    yield Buffer.from(`\ncopy ${nameOf(table)} (${columns.map(quote).join(', ')}) from stdin;\n`);
    for await (const batch of readRows(tx, table, columns)) {
      const lines = batch.map(writeRow);
      for (const line of lines) sum.add(line);
      yield Buffer.from(`${lines.join('\n')}\n`);
    }
    yield Buffer.from('\\.\n');
    written.push({ schema: table.schema, name: table.name, columns, rows: sum.rows, sha256: sum.sha256 });
  }
  for (const { name, value } of sequences) {
    if (value !== null) yield Buffer.from(`select setval('${name.replaceAll("'", "''")}', ${value});\n`);
  }
  yield Buffer.from('commit;\n');
}
