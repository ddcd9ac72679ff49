/** Base backup of the running built-in server, using Postgres' low-level API. */
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { openPostgresDatabase } from '../database/postgres-database.ts';
import { serverUrl } from '../postgres/server-address.ts';
import type { Base } from './chains.ts';

/**
 * Excluded files, which belong to the running process or the WAL:
 * https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP-DATA
 */
const EXCLUDED = [
  /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans|archive)\//,
  /^(postmaster\.(pid|opts)|backup_label(\.old)?|(recovery|standby)\.signal|archive)$/,
  /(^|\/)(pgsql_tmp[^/]*|pg_internal\.init[^/]*)(\/|$)/,
];

/** Copied last, as pg_basebackup does. */
const CONTROL_FILE = 'global/pg_control';

/**
 * Runs `copy` between the start and the end of a backup of the server on `folder`. Both use one connection, because
 * Postgres aborts a backup whose session ends.
 */
export async function copyWhileRunning(folder: string, copy: () => Promise<void>): Promise<Base> {
  const connection = openPostgresDatabase(await serverUrl(folder), 1);
  try {
    return await connection.transaction(async (tx) => {
      await tx.query(`select set_config('idle_in_transaction_session_timeout', '0', true)`);
      const start = await tx.query<{ first: string; system: string }>(
        `select pg_walfile_name(pg_backup_start('signalfjord', true)) as first,
           (select system_identifier::text from pg_control_system()) as system`,
      );
      await copy();
      const end = await tx.query<{ last: string; label: string }>(
        'select pg_walfile_name(lsn) as last, labelfile as label from pg_backup_stop(false)',
      );
      const now = await tx.query<{ since: string }>(
        'select ceil(extract(epoch from clock_timestamp()) * 1000)::bigint::text as since',
      );
      const since = Number(onlyRow(now.rows).since);
      return { ...onlyRow(start.rows), ...onlyRow(end.rows), since };
    });
  } finally {
    await connection.close();
  }
}

function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('Postgres did not report the start and the end of the copy');
  return row;
}

export interface Entry {
  /** Path within the folder, with slashes. */
  name: string;
  path: string;
  isFolder: boolean;
}

/** Lists the content of a copy, including empty folders, because Postgres does not create them. */
export async function listToCopy(folder: string): Promise<Entry[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return { name: relative(folder, path).replaceAll(sep, '/'), path, isFolder: entry.isDirectory() };
    })
    .filter(({ name }) => !EXCLUDED.some((pattern) => pattern.test(name)))
    .sort((a, b) => Number(a.name === CONTROL_FILE) - Number(b.name === CONTROL_FILE));
}
