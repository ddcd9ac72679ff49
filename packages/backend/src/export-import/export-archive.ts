/** Writes a deployment (database and files) to an archive. The site can keep running. */
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
  quote,
  readRows,
  setOutputFormats,
  type Table,
  tableSql,
} from './tables.ts';

/** Lifetime of a hold that prevents deletions. A running export renews its hold every minute. */
const RETENTION_INTERVAL = '1 hour';
const HOLD_RENEWAL_MS = 60_000;

/** Timeout in milliseconds of each statement, such as reading the next rows of a table. */
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
  /** Names of the data that the target cannot store. */
  skippedItems: string[];
}

/**
 * Exports a snapshot of the database and the files that it refers to. Files are immutable, and
 * are not deleted before the export ends.
 * @throws OperatorError
 */
export async function exportArchive(source: Source, path: string): Promise<ArchiveSummary> {
  const writer = await ArchiveWriter.create(path);
  const retention = await retainBytes(source);
  try {
    const content = await source.database.transaction((tx) => writeDatabase(writer, source, tx));
    const files: Manifest['files'] = [];
    for (const file of content.stored) {
      await retention.renew();
      const bytes = await source.files.read(file).catch((cause) => {
        throw new OperatorError(`The file ${file.bucket}/${file.name} cannot be read: ${messageOf(cause)}`, {
          cause,
        });
      });
      files.push({ ...file, ...(await writer.add(`files/${file.version}`, bytes, false)) });
    }
    const { stored: _, ...manifest } = content;
    await writer.finish({ ...manifest, version: source.version, madeAt: new Date().toISOString(), files });
    return summarize({ ...manifest, files });
  } catch (error) {
    await writer.discard();
    throw error;
  } finally {
    await retention.release();
  }
}

export function summarize(
  { tables, files }: Pick<Manifest, 'tables' | 'files'>,
  skippedItems: string[] = [],
): ArchiveSummary {
  return {
    tables: tables.length,
    rows: tables.reduce((sum, table) => sum + table.rows, 0),
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    skippedItems,
  };
}

/** Prevents storage from deleting bytes, which it does only if backend.running_backups has no row. */
async function retainBytes({ database, files }: Source) {
  const { rows } = await database.query<{ can_hold: boolean }>(
    `select to_regclass('backend.running_backups') is not null as can_hold`,
  );
  if (files.isProject || !rows[0]?.can_hold) return { renew: async () => undefined, release: async () => undefined };
  const id = randomUUID();
  const renewHold = () =>
    database.query(
      `insert into backend.running_backups (id, until) values ($1, clock_timestamp() + $2::interval)
       on conflict (id) do update set until = excluded.until`,
      [id, RETENTION_INTERVAL],
    );
  await renewHold();
  let renewedAt = performance.now();
  return {
    async renew() {
      if (performance.now() - renewedAt < HOLD_RENEWAL_MS) return;
      await renewHold();
      renewedAt = performance.now();
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
  await setOutputFormats(tx);
  const { isProject } = source.files;
  const applied = await listApplied(tx);
  const tables = await listTables(tx, isProject);
  const sequences = await listSequences(tx, tables);
  const policies = await listPolicies(tx, tables);
  const storedFiles = await listFiles(tx, isProject);
  const files = await readSqlFiles(source.migrationsFolder);
  const unknownFile = applied.find(({ name }) => !files.some((file) => file.name === name));
  if (unknownFile && !isProject) {
    throw new OperatorError(
      `The database has applied ${unknownFile.name}, which this version does not have. Start this version of the server once, or export with the version that the database belongs to.`,
    );
  }
  const schema = migrationScript(files, new Map(applied.map(({ name, sha256 }) => [name, sha256])));
  const exported: Manifest['tables'] = [];
  const sql = {
    'schema.sql': await writer.add('schema.sql', Readable.from([Buffer.from(schema)]), true),
    'data.sql': await writer.add('data.sql', dataSql(tx, tables, sequences, exported), true),
  };
  const { rows } = await tx.query<{ major: number }>(
    `select current_setting('server_version_num')::integer / 10000 as major`,
  );
  return {
    isProject,
    postgres: rows[0]?.major ?? 0,
    applied,
    tables: exported,
    sequences,
    policies,
    sql,
    stored: storedFiles,
  };
}

/** Lists the files applied to a database; [] for a database without our tables. */
export async function listApplied(tx: Pick<Transaction, 'query'>): Promise<Manifest['applied']> {
  const { rows } = await tx.query<{ bootstrap: string | null; hashes: string | null; migrations: string | null }>(
    `select to_regclass('backend.bootstrap') as bootstrap, to_regclass('backend.applied_files') as hashes,
       to_regclass('supabase_migrations.schema_migrations') as migrations`,
  );
  const { bootstrap, hashes, migrations } = rows[0] ?? {};
  const names = [
    bootstrap ? 'select name from backend.bootstrap' : null,
    migrations ? 'select version from supabase_migrations.schema_migrations' : null,
  ].filter((query) => query !== null);
  if (names.length === 0) return [];
  const applied = await tx.query<{ name: string; sha256: string | null }>(
    `select name, ${hashes ? 'sha256' : 'null::text as sha256'} from (${names.join(' union all ')}) applied (name)
     ${hashes ? 'left join backend.applied_files using (name)' : ''} order by name collate "C"`,
  );
  return applied.rows;
}

/** Lists the files in storage.objects and, for our own deployments, in the trash. */
async function listFiles(tx: Transaction, isProject: boolean): Promise<StoredFile[]> {
  const columns = `version, bucket_id as bucket, name, coalesce(metadata ->> 'mimetype', 'application/octet-stream') as mimetype,
    coalesce(metadata ->> 'cacheControl', 'no-cache') as "cacheControl"`;
  const { rows } = await tx.query<{ trash: string | null }>(`select to_regclass('backend.deleted_objects') as trash`);
  const deletedFiles = rows[0]?.trash && !isProject ? `union select ${columns} from backend.deleted_objects` : '';
  const files = await tx.query<StoredFile>(
    `select ${columns} from storage.objects where version is not null ${deletedFiles} order by 1`,
  );
  return files.rows;
}

async function* dataSql(
  tx: Transaction,
  tables: readonly Table[],
  sequences: Manifest['sequences'],
  exported: Manifest['tables'],
): AsyncGenerator<Buffer> {
  const names = tables.map(tableSql);
  yield Buffer.from(`begin;\nset local session_replication_role = replica;\ntruncate ${names.join(', ')} cascade;\n`);
  for (const table of tables) {
    const columns = table.columns.map(({ name }) => name);
    const sum = new RowSum();
    yield Buffer.from(`\ncopy ${tableSql(table)} (${columns.map(quote).join(', ')}) from stdin;\n`);
    for await (const batch of readRows(tx, table, columns)) {
      const lines = batch.map(writeRow);
      for (const line of lines) sum.add(line);
      yield Buffer.from(`${lines.join('\n')}\n`);
    }
    yield Buffer.from('\\.\n');
    exported.push({ schema: table.schema, name: table.name, columns, rows: sum.rows, sha256: sum.sha256 });
  }
  for (const { name, value } of sequences) {
    if (value !== null) yield Buffer.from(`select setval('${name.replaceAll("'", "''")}', ${value});\n`);
  }
  yield Buffer.from('commit;\n');
}
