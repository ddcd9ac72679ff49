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
 * A quarter of the sample that Postgres reads by default, 7,500 rows: 50 to 90 ms of the processor where it took up to 790.
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
      pg_stat_get_mod_since_analyze(oid) as modified,
      relpages >= 128 and pg_stat_get_last_vacuum_time(oid) is null as is_uncounted,
      relkind = 'r' and relpages >= 128 and relnamespace <> 'pg_catalog'::regnamespace
        and pg_stat_get_last_analyze_time(oid) is null as is_unknown
    from pg_catalog.pg_class where relkind in ('r', 't') and relpersistence = 'p'
  ), judged as (
    select oid, name, is_uncounted or dead > most_dead + most_dead_part * tuples
        or inserted > most_inserted + most_inserted_part * tuples as is_unclean,
      is_unknown or relkind = 'r' and oid <> 'pg_statistic'::regclass
        and modified > most_changed + most_changed_part * tuples as is_misjudged
    from counted cross join settings
  )
  select name, is_unclean, is_misjudged, (pg_relation_size(oid) + pg_indexes_size(oid))::float8 as bytes
  from judged where is_unclean or is_misjudged order by bytes`;

interface DueTable {
  /** Its schema and name, quoted. */
  name: string;
  is_unclean: boolean;
  is_misjudged: boolean;
  bytes: number;
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
  /** Times at which tables were first seen that are due and still wait. */
  readonly #dueSince = new Map<string, number>();
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
   * Does, from the smallest table on, what is due and may be done now. Others have their turn after each statement.
   * @returns the statements that were run
   * @throws DatabaseError of a table, once
   */
  async run(moments: Partial<Moments> = {}): Promise<string[]> {
    const { smallBytes, quietMs, longestWaitMs } = { ...MOMENTS, ...moments };
    const { rows } = await this.#database.query<DueTable>(DUE);
    const done: string[] = [];
    for (const table of rows.filter(({ name }) => !this.#broken.has(name))) {
      const dueSince = this.#dueSince.get(table.name) ?? performance.now();
      this.#dueSince.set(table.name, dueSince);
      const mayWait = table.bytes > smallBytes && performance.now() - dueSince < longestWaitMs;
      for (const sql of statementsFor(table)) {
        if (this.#isStopped || !(await this.#runWhenQuiet(table, sql, mayWait ? quietMs : 0))) break;
        done.push(sql);
        this.#dueSince.delete(table.name);
      }
    }
    return done;
  }

  /** The log may take each page of a table whole. */
  async #runWhenQuiet({ name, bytes }: DueTable, sql: string, quietMs: number): Promise<boolean> {
    try {
      return await this.#database.whenQuiet(sql, { quietMs, bytes });
    } catch (error) {
      if (passingTrouble(error) === null) this.#broken.add(name);
      throw error;
    }
  }
}

/** Tables that hold long texts apart are listed by themselves. */
function statementsFor({ name, is_unclean, is_misjudged }: DueTable): string[] {
  return [
    ...(is_unclean ? [`vacuum (process_toast off, parallel 0) ${name}`] : []),
    ...(is_misjudged ? [`set local default_statistics_target = ${STATISTICS_TARGET}; analyze ${name}`] : []),
  ];
}
