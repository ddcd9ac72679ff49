/**
 * Vacuums and analyzes the tables of the embedded database, as autovacuum does on a server: PGlite has no process beside the one
 * that answers. Otherwise dead rows stay for ever, no index answers alone, and plans are made for the tables of the first day
 * (docs/decisions/embedded-database.md).
 */
import type { Logger } from 'pino';
import { passingTrouble } from './database.ts';
import type { PgliteDatabase } from './pglite-database.ts';

const LOOK_EVERY_MS = 60_000;

/**
 * A quarter of the sample that Postgres reads by default, 7,500 rows: 50 to 90 ms of the processor where all of it took up to 790.
 * Expressions of indexes are left out, because making those of 5,000 posts anew took 2 s.
 */
const STATISTICS_TARGET = 25;

/** Moments in which a table may hold everybody up for as long as it takes to vacuum, some 2 ms of the processor a megabyte. */
export interface Moments {
  /** Bytes of a table with its indexes up to which any moment will do in which nobody waits. */
  smallBytes: number;
  /** Milliseconds without a request after which it is the turn of a larger one. */
  quietMs: number;
  /** Milliseconds after which a larger one, too, is done at any moment in which nobody waits. */
  longestWaitMs: number;
}

const MOMENTS: Moments = { smallBytes: 4 * 1024 * 1024, quietMs: 60_000, longestWaitMs: 24 * 60 * 60_000 };

/**
 * Lists what is due by autovacuum's formula. PGlite counts changes in memory and forgets them when it closes, so what has a
 * megabyte is also done once after each opening: that is soon over where little has changed.
 */
const DUE = `
  with settings as (
    select current_setting('autovacuum_vacuum_threshold')::float8 as most_dead,
      current_setting('autovacuum_vacuum_scale_factor')::float8 as most_dead_part,
      current_setting('autovacuum_vacuum_insert_threshold')::float8 as most_inserted,
      current_setting('autovacuum_vacuum_insert_scale_factor')::float8 as most_inserted_part,
      current_setting('autovacuum_analyze_threshold')::float8 as most_changed,
      current_setting('autovacuum_analyze_scale_factor')::float8 as most_changed_part
  ), counted as (
    select oid, relkind, format('%I.%I', relnamespace::regnamespace::text, relname) as name, greatest(reltuples, 0) as tuples,
      pg_stat_get_dead_tuples(oid) as dead, pg_stat_get_ins_since_vacuum(oid) as inserted,
      pg_stat_get_mod_since_analyze(oid)::float8 as modified,
      relpages >= 128 and pg_stat_get_last_vacuum_time(oid) is null as is_uncounted,
      relkind = 'r' and relpages >= 128 and relnamespace <> 'pg_catalog'::regnamespace
        and pg_stat_get_last_analyze_time(oid) is null as is_unknown
    from pg_catalog.pg_class where relkind in ('r', 't') and relpersistence = 'p'
  ), judged as (
    select oid, name, modified, is_unknown, is_uncounted or dead > most_dead + most_dead_part * tuples
        or inserted > most_inserted + most_inserted_part * tuples as is_unclean,
      case when relkind = 'r' and oid <> 'pg_statistic'::regclass then most_changed + most_changed_part * tuples
        else 'infinity' end as most_modified
    from counted cross join settings
  )
  select name, is_unclean, is_unknown, modified, most_modified, (pg_relation_size(oid) + pg_indexes_size(oid))::float8 as bytes, (
    select string_agg(quote_ident(attname), ', ' order by attnum) from pg_catalog.pg_attribute
    where attrelid = oid and attnum > 0 and not attisdropped
  ) as columns
  from judged where is_unclean or is_unknown or modified > most_modified order by bytes`;

interface DueTable {
  /** Its schema and name, quoted. */
  name: string;
  is_unclean: boolean;
  /** True when it was not analyzed since the database was opened. */
  is_unknown: boolean;
  /** Rows that were changed since all of it was analyzed, and how many may be. */
  modified: number;
  most_modified: number;
  bytes: number;
  columns: string;
}

/** Memory of one table. */
interface Seen {
  /** Time at which it was first seen that it is due; null while it is not. */
  dueSince: number | null;
  /** Changes that had been counted when its columns were analyzed: only analyzing expressions as well sets the count to zero. */
  analyzedAt: number;
}

/**
 * Looks once a minute, and does what is due.
 * @returns the way to stop, which waits for the table under way
 */
export function keepVacuumed(database: PgliteDatabase, log: Logger): () => Promise<void> {
  const vacuum = new Vacuum(database);
  let running: Promise<unknown> = Promise.resolve();
  const look = async () => {
    await running;
    running = vacuum.run().catch((error: unknown) => {
      if (passingTrouble(error) === null) log.error({ err: error }, 'A table could not be vacuumed');
    });
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  timer.unref();
  return async () => {
    vacuum.stop();
    clearInterval(timer);
    await running;
  };
}

export class Vacuum {
  readonly #database: PgliteDatabase;
  readonly #seen = new Map<string, Seen>();
  #isStopped = false;

  constructor(database: PgliteDatabase) {
    this.#database = database;
  }

  /** Ends a run before its next statement. */
  stop(): void {
    this.#isStopped = true;
  }

  /**
   * Does, from the smallest table on, what is due and may be done now. Others have their turn after each statement.
   * @returns the statements that were run
   */
  async run(moments: Partial<Moments> = {}): Promise<string[]> {
    const { smallBytes, quietMs, longestWaitMs } = { ...MOMENTS, ...moments };
    const { rows } = await this.#database.query<DueTable>(DUE);
    const done: string[] = [];
    for (const table of rows) {
      const seen = this.#see(table);
      const statements = statementsFor(table, seen);
      if (statements.length === 0) continue;
      seen.dueSince ??= performance.now();
      const mayWait = table.bytes > smallBytes && performance.now() - seen.dueSince < longestWaitMs;
      for (const sql of statements) {
        if (this.#isStopped || !(await this.#database.whenQuiet(sql, mayWait ? quietMs : 0))) break;
        done.push(sql);
        seen.dueSince = null;
        if (sql.includes('analyze')) seen.analyzedAt = table.modified;
      }
    }
    return done;
  }

  #see({ name, modified }: DueTable): Seen {
    const seen = this.#seen.get(name) ?? { dueSince: null, analyzedAt: 0 };
    this.#seen.set(name, seen);
    // The database was opened anew, and counts from zero.
    if (modified < seen.analyzedAt) seen.analyzedAt = 0;
    return seen;
  }
}

/** Tables that hold long texts apart are listed by themselves. */
function statementsFor(table: DueTable, { analyzedAt }: Seen): string[] {
  const { name, is_unclean, is_unknown, modified, most_modified, columns } = table;
  const isMisjudged = is_unknown || modified - analyzedAt > most_modified;
  return [
    ...(is_unclean ? [`vacuum (process_toast off, parallel 0) ${name}`] : []),
    ...(isMisjudged
      ? [`set local default_statistics_target = ${STATISTICS_TARGET}; analyze ${name} (${columns})`]
      : []),
  ];
}
