/**
 * Vacuums and analyzes the tables of the embedded database, as autovacuum does on a server: PGlite has no process beside the one
 * that answers. Otherwise dead rows stay for ever, no index answers alone, and plans are made for the tables of the first day
 * (docs/decisions/embedded-database.md).
 */
import type { Logger } from 'pino';
import { passingTrouble } from './database.ts';
import type { PgliteDatabase } from './pglite-database.ts';

const LOOK_EVERY_MS = 60_000;

/** A tenth of the sample that Postgres reads by default, 3,000 rows: 15 to 35 ms of the processor where it took up to 790. */
const STATISTICS_TARGET = 10;

/**
 * Pages that may be dirty before a large table is vacuumed: what is visible to all is skipped, so it takes as long as these
 * do, some 20 microseconds each, and not as long as the table.
 */
const MOST_DIRTY_PAGES = 400;

/** Bytes of indexes that are read in some 60 ms: what frees their entries reads all of them. */
const MOST_INDEX_BYTES = 64 * 1024 * 1024;

/** Pages with dead entries in large indexes, each of which is read again every time until these are freed. */
const MOST_UNFREED_PAGES = 1600;

/**
 * Lists what is due: by autovacuum's formula, or by the pages that may be dirty. PGlite counts changes in memory and forgets
 * them when it closes, so what has a megabyte is also done once after each opening: that is soon over where little has
 * changed. Where the indexes are large, dead entries stay in them until a fifth of the pages, or MOST_UNFREED_PAGES, have some.
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
      pg_stat_get_mod_since_analyze(oid) as modified,
      relpages, relallvisible, relpages >= 128 and pg_stat_get_last_vacuum_time(oid) is null as is_uncounted,
      relkind = 'r' and relpages >= 128 and relnamespace <> 'pg_catalog'::regnamespace
        and pg_stat_get_last_analyze_time(oid) is null as is_unknown
    from pg_catalog.pg_class where relkind in ('r', 't') and relpersistence = 'p'
  ), judged as (
    select oid, name, is_uncounted or dead > most_dead + most_dead_part * tuples
        or inserted > most_inserted + most_inserted_part * tuples
        or least(relpages, dead + inserted * relpages / greatest(tuples, 1)) > ${MOST_DIRTY_PAGES} as is_unclean,
      is_unknown or relkind = 'r' and oid <> 'pg_statistic'::regclass
        and modified > most_changed + most_changed_part * tuples as is_misjudged,
      relpages - relallvisible < least(most_dead_part * relpages, ${MOST_UNFREED_PAGES}) as is_mostly_freed
    from counted cross join settings
  )
  select name, is_unclean, is_misjudged, (pg_relation_size(oid) + pg_indexes_size(oid))::float8 as bytes,
    is_mostly_freed and pg_indexes_size(oid) > $1::float8 as keeps_entries
  from judged where is_unclean or is_misjudged order by bytes`;

interface DueTable {
  /** Its schema and name, quoted. */
  name: string;
  is_unclean: boolean;
  is_misjudged: boolean;
  bytes: number;
  /** Tells whether dead entries stay in its indexes for now. */
  keeps_entries: boolean;
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
  /** Tables that cannot be vacuumed or analyzed, told once: the others are not to wait for them. */
  readonly #broken = new Set<string>();
  #isStopped = false;

  constructor(database: PgliteDatabase) {
    this.#database = database;
  }

  /** Ends a run before its next statement. */
  stop(): void {
    this.#isStopped = true;
  }

  /**
   * Does, from the smallest table on, what is due, as long as nobody waits. Others have their turn after each statement.
   * @returns the statements that were run
   * @throws DatabaseError of a table, once
   */
  async run({ mostIndexBytes = MOST_INDEX_BYTES } = {}): Promise<string[]> {
    const { rows } = await this.#database.query<DueTable>(DUE, [mostIndexBytes]);
    const done: string[] = [];
    for (const table of rows.filter(({ name }) => !this.#broken.has(name))) {
      for (const sql of statementsFor(table)) {
        if (this.#isStopped || !(await this.#runWhenIdle(table, sql))) break;
        done.push(sql);
      }
    }
    return done;
  }

  /** The log may take each page of a table whole. */
  async #runWhenIdle({ name, bytes }: DueTable, sql: string): Promise<boolean> {
    try {
      return await this.#database.whenIdle(sql, bytes);
    } catch (error) {
      if (passingTrouble(error) === null) this.#broken.add(name);
      throw error;
    }
  }
}

/** Tables that hold long texts apart are listed by themselves. */
function statementsFor({ name, is_unclean, is_misjudged, keeps_entries }: DueTable): string[] {
  const options = `process_toast off, parallel 0, index_cleanup ${keeps_entries ? 'off' : 'auto'}`;
  return [
    ...(is_unclean ? [`vacuum (${options}) ${name}`] : []),
    ...(is_misjudged ? [`set local default_statistics_target = ${STATISTICS_TARGET}; analyze ${name}`] : []),
  ];
}
