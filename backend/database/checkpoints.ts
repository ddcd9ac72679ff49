import type { Database } from './database.ts';

/** Milliseconds between two looks. */
const LOOK_EVERY_MS = 10_000;

/** Size of the log, which is replayed in a fraction of a second after a crash. */
const MAX_WAL_BYTES = 32 * 1024 * 1024;

/**
 * Writes a checkpoint when enough has been written since the last one. PGlite has no checkpointer process, so that the
 * write-ahead log grows, and opening after a crash takes longer, until the database is closed.
 * @returns the way to stop
 */
export function keepCheckpoints(database: Database): () => void {
  const look = async () => {
    const { rows } = await database.query<{ bytes: string }>(
      'select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn) as bytes from pg_control_checkpoint()',
    );
    if (Number(rows[0]?.bytes) > MAX_WAL_BYTES) await database.query('checkpoint');
  };
  // A fault here will also fail the next statement, which reports it.
  const timer = setInterval(() => look().catch(() => undefined), LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
