/** Copies the folder of the embedded database while it is written to, as pg_basebackup copies that of a server. */
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Database, DatabaseError } from '../database/database.ts';
import type { Base } from './chains.ts';
import { parsePosition, segmentStart } from './wal.ts';

/** Folders whose content belongs to the running process, or is what the pieces of the log hold. */
const LEFT_OUT = /^(pg_wal|base\/pgsql_tmp|pg_stat_tmp|pg_dynshmem|pg_notify|pg_snapshots)\/|^postmaster\.pid$/;

/** Code of Postgres when another copy is being made. */
const IN_PROGRESS = '55000';

/** Milliseconds for which another copy is waited for; who made it has died then without ending it. */
const PATIENCE_MS = 20_000;
const LOOK_AGAIN_MS = 500;

/**
 * Tells Postgres that its folder is copied while `copy` does so. Postgres writes whole pages to its log meanwhile, so that
 * pages that were read half-way are put right when the log is replayed.
 */
export async function copyWhileRunning(database: Database, copy: () => Promise<void>): Promise<Base> {
  const start = await beginCopy(database);
  const failure = await copy().then(
    () => null,
    (error: unknown) => ({ error }),
  );
  const end = await endCopy(database);
  if (failure) throw failure.error;
  return {
    from: segmentStart(parsePosition(start.position)),
    whole: parsePosition(end.position),
    label: end.label,
    system: start.system,
  };
}

async function beginCopy(database: Database): Promise<{ position: string; system: string }> {
  for (let waited = 0; ; waited += LOOK_AGAIN_MS) {
    try {
      const { rows } = await database.query<{ position: string; system: string }>(
        `select pg_backup_start('signalfjord', true)::text as position,
           (select system_identifier::text from pg_control_system()) as system`,
      );
      return onlyRow(rows);
    } catch (error) {
      if (!(error instanceof DatabaseError && error.code === IN_PROGRESS)) throw error;
      if (waited < PATIENCE_MS) await wait(LOOK_AGAIN_MS);
      else await endCopy(database);
    }
  }
}

async function endCopy(database: Database): Promise<{ position: string; label: string }> {
  const { rows } = await database.query<{ position: string; label: string }>(
    'select lsn::text as position, labelfile as label from pg_backup_stop(false)',
  );
  return onlyRow(rows);
}

function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('Postgres did not say where the copy begins and ends');
  return row;
}

export interface Entry {
  /** Path within the folder, with slashes. */
  name: string;
  path: string;
  isFolder: boolean;
}

/** Lists what a copy of the folder has. Postgres does not make folders that it expects, so they are among it. */
export async function listToCopy(folder: string): Promise<Entry[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return { name: relative(folder, path).replaceAll(sep, '/'), path, isFolder: entry.isDirectory() };
    })
    .filter(({ name }) => !LEFT_OUT.test(name));
}

/** Folders of the log that are left out with it. */
export const LOG_FOLDERS = ['pg_wal/archive_status', 'pg_wal/summaries'];
