/** An own Postgres server as a Database, over postgres.js. Values and results look as with PGlite. */
import { setTimeout as wait } from 'node:timers/promises';
import postgres from 'postgres';
import { askingForOurselves } from './asker.ts';
import {
  type Database,
  DatabaseError,
  type DatabaseLoad,
  OWN_DEADLINE_MS,
  type QueryResult,
  ReadOnlyServerError,
  type Results,
  type SqlValue,
  type Statement,
  type Transaction,
  toWireValue,
  UNREACHABLE,
  type WorkOptions,
} from './database.ts';
import { DatabaseTurns, type Turn } from './database-turns.ts';
import { endsConnection, withDatabaseErrors } from './postgres-errors.ts';
import { parseTextArray } from './text-array.ts';

/** Parameters arrive as text already (toWireValue), so nothing is serialised a second time. */
const asText = (value: unknown) => (value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value);

const TYPES: Record<string, postgres.PostgresType> = {
  bool: { to: 16, from: [16], serialize: asText, parse: (text: string) => text === 't' },
  number: { to: 23, from: [20, 21, 23, 700, 701], serialize: asText, parse: Number },
  json: { to: 114, from: [114, 3802], serialize: asText, parse: (text: string) => JSON.parse(text) },
  jsonb: { to: 3802, from: [3802], serialize: asText, parse: (text: string) => JSON.parse(text) },
  date: { to: 1184, from: [1184], serialize: asText, parse: (text: string) => new Date(text) },
  plainDate: { to: 1082, from: [1082, 1114], serialize: asText, parse: (text: string) => text },
  textArray: { to: 1009, from: [1003, 1009, 1015, 2951], serialize: asText, parse: parseTextArray },
  bytea: { to: 17, from: [17], serialize: asText, parse: (text: string) => Buffer.from(text.slice(2), 'hex') },
};

/** Any number, the same in every copy of the process. */
const EXCLUSIVE_LOCK = 7_462_201;

/** Time in milliseconds that a statement waits for a server that is away, such as one that restarts. */
const PATIENCE_MS = 2_000;
const AGAIN_AFTER_MS = 100;

/** Statement that gives a transaction behind a pooler the deadline that other connections have from their beginning. */
const DEADLINE: Statement = {
  text: `select set_config('statement_timeout', $1, true)`,
  values: [String(OWN_DEADLINE_MS)],
};

/**
 * Fault of an address that leads to a pooler with another connection for each transaction, though listening and scripts
 * need one that stays.
 */
export class PoolerError extends Error {}

/**
 * Connects lazily with up to `connections` connections, one more while a script runs, and one more that listens.
 * With `directUrl`, `url` may lead to a pooler that gives each transaction another connection (pgbouncer in transaction
 * mode): nothing is then kept between transactions there, neither settings nor named statements.
 */
export function openPostgresDatabase(url: string, connections = 10, directUrl?: string): PostgresDatabase {
  const options = {
    types: TYPES,
    // The types of arrays are in the list. The driver would ask each new connection for them, and a connection that ends
    // meanwhile would be an error that nobody can catch.
    fetch_types: false,
    onnotice: () => undefined,
    // In seconds: for a server that does not answer at all, which a busy one must not be taken for.
    connect_timeout: 10,
    // In seconds: what waits for a server that comes back should not wait for the next try.
    backoff: (retries: number) => Math.min(0.05 * 2 ** retries, 0.5),
  };
  const isPooled = directUrl !== undefined;
  // Poolers refuse settings that they do not keep for each client; the time zone is one that they keep.
  const connection = { TimeZone: 'UTC', ...(!isPooled && { statement_timeout: OWN_DEADLINE_MS }) };
  return new PostgresDatabase(
    postgres(url, { ...options, max: connections, prepare: !isPooled, connection }),
    postgres(directUrl ?? url, {
      ...options,
      max: 1,
      idle_timeout: 10,
      connection: { TimeZone: 'UTC', statement_timeout: 0 },
    }),
    isPooled,
  );
}

type Sql = postgres.Sql<Record<string, unknown>> | postgres.TransactionSql<Record<string, unknown>>;

export class PostgresDatabase implements Database {
  readonly #sql: postgres.Sql<Record<string, unknown>>;
  /** Connections that stay: for scripts, which have no deadline, and for listening. */
  readonly #direct: postgres.Sql<Record<string, unknown>>;
  readonly #isPooled: boolean;
  readonly #turns: DatabaseTurns;
  /** While the server is away: why, and what settles when it is back. */
  #away: { cause: DatabaseError; isBack: Promise<void> } | null = null;
  #isClosed = false;

  constructor(
    sql: postgres.Sql<Record<string, unknown>>,
    direct: postgres.Sql<Record<string, unknown>>,
    isPooled: boolean,
  ) {
    this.#sql = sql;
    this.#direct = direct;
    this.#isPooled = isPooled;
    this.#turns = new DatabaseTurns(sql.options.max, { isPool: true });
  }

  /**
   * Finds out whether connections that should stay do. Postgres names the process behind a connection when it begins;
   * poolers make that name up. Those that keep sessions pass a notification on, the others lose it.
   * @throws PoolerError
   */
  async requireSessions(): Promise<void> {
    const isKept = await this.#patiently(() => keepsSessions(this.#direct));
    if (!isKept) throw new PoolerError('A pooler gives each transaction another connection');
  }

  async query<Row>(
    text: string,
    values: readonly SqlValue[] = [],
    options: WorkOptions = {},
  ): Promise<QueryResult<Row>> {
    const statement = { text, values };
    if (this.#isPooled) return (await this.batch<[Row]>([statement], options))[0];
    return this.#onTurn([statement], options, (taken) => timed(taken, () => run<Row>(this.#sql, statement)));
  }

  async batch<Rows extends readonly unknown[]>(
    statements: readonly Statement[],
    options: WorkOptions = {},
  ): Promise<Results<Rows>> {
    return this.#onTurn(statements, options, async (taken) => {
      const results = await this.#begin((tx) => {
        const all = this.#isPooled ? [DEADLINE, ...statements] : statements;
        return timed(taken, () => Promise.all(all.map((statement) => run(tx, statement))));
      });
      return results.slice(this.#isPooled ? 1 : 0) as Results<Rows>;
    });
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>, options: WorkOptions = {}): Promise<T> {
    return this.#onTurn(options.foreseen ?? [], options, (taken) =>
      this.#begin(async (sql, requireConnection) => {
        if (this.#isPooled) await run(sql, DEADLINE);
        const send = <Row>(statement: Statement) => {
          requireConnection();
          return timed(taken, () => run<Row>(sql, statement));
        };
        return work({
          run: async (statement) => send(statement),
          query: async (text, values = []) => send({ text, values }),
        });
      }),
    );
  }

  load(): DatabaseLoad {
    const { running: working, waiting, refused } = this.#turns;
    return { connections: this.#sql.options.max, working, waiting, refused };
  }

  /** Does the work when it is its turn and a connection can be had. */
  async #onTurn<T>(
    statements: readonly Statement[],
    options: WorkOptions,
    work: (options: WorkOptions) => Promise<T>,
  ): Promise<T> {
    const turn: Turn = { statements, options, isAlone: 'never' };
    try {
      return await this.#patiently(() => this.#turns.take(turn, (taken) => work(taken.options)));
    } catch (error) {
      const mayChange = !statements.some(({ isReadOnly }) => isReadOnly);
      if (!mayChange || !(error instanceof DatabaseError) || error.code !== '25006') throw error;
      this.#leaveStandby();
      throw new ReadOnlyServerError({ cause: error });
    }
  }

  /**
   * Runs the work once a connection can be made, or fails after a while. Work that was sent already is never sent again.
   * While the server is away one looks for all whether it is back, and nobody waits in a turn.
   */
  async #patiently<T>(work: () => Promise<T>): Promise<T> {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      if (this.#away) await Promise.race([this.#away.isBack, wait(Math.max(0, end - performance.now()))]);
      if (this.#away) throw this.#away.cause;
      try {
        return await withDatabaseErrors(work);
      } catch (error) {
        // 57P03: the server starts or stops, and took nothing.
        if (!(error instanceof DatabaseError && ['08001', '57P03'].includes(error.code))) throw error;
        this.#away ??= { cause: error, isBack: this.#untilBack() };
      }
    }
  }

  async #untilBack(): Promise<void> {
    let isBack = false;
    while (!isBack && !this.#isClosed) {
      await wait(AGAIN_AFTER_MS);
      isBack = await this.#sql.unsafe('select 1').then(
        () => true,
        () => false,
      );
    }
    this.#away = null;
  }

  /**
   * Ends a connection when it leads to a standby, as it does to one that was the primary before, so that the next is made
   * to the server that the address names by now.
   */
  #leaveStandby(): void {
    const end = 'select pg_terminate_backend(pg_backend_pid()) where pg_is_in_recovery()';
    this.#sql.unsafe(end).catch(() => undefined);
  }

  async script(text: string): Promise<void> {
    await withDatabaseErrors(async () => {
      await this.#direct.unsafe(text).simple();
    });
  }

  /** The lock is that of a transaction, which holds behind a pooler too; the work itself uses other connections. */
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    return withDatabaseErrors(async () => {
      return this.#begin(async (sql) => {
        await sql`select set_config(name, '0', true)
          from unnest(array['statement_timeout', 'idle_in_transaction_session_timeout']) as name`;
        await sql`select pg_advisory_xact_lock(${String(EXCLUSIVE_LOCK)})`;
        return work();
      });
    });
  }

  /**
   * Runs `work` in a transaction on one connection. Once that is lost nothing more is sent on it, neither commit nor
   * rollback: the driver (3.4.9) would write to a socket that is gone, outside of every promise, and so end the process
   * (https://github.com/porsager/postgres/issues/1208). The transaction then fails by the driver's own watch over it.
   */
  async #begin<T>(
    work: (sql: postgres.TransactionSql<Record<string, unknown>>, requireConnection: () => void) => Promise<T>,
  ): Promise<T> {
    let isLost = false;
    const requireConnection = () => {
      if (isLost) throw new DatabaseError({ code: '08006', message: UNREACHABLE });
    };
    const never = () => new Promise<never>(() => undefined);
    const begun = this.#sql.begin(async (sql) => {
      try {
        const result = await work(sql, requireConnection);
        return isLost ? never() : { result };
      } catch (error) {
        return isLost || endsConnection(error) ? never() : Promise.reject(error);
      }
    });
    begun.catch(() => {
      isLost = true;
    });
    return (await begun).result;
  }

  async listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>> {
    let isFirst = true;
    // Listeners do work of their own when they are told of a change, and not that of a request.
    const heard = (payload: string) => askingForOurselves(() => onNotify(payload));
    const { unlisten } = await this.#direct.listen(channel, heard, () => {
      // Connected again after a loss: what was sent meanwhile is gone.
      if (!isFirst) heard('');
      isFirst = false;
    });
    return unlisten;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#sql.end({ timeout: 5 }), this.#direct.end({ timeout: 5 })]);
  }
}

async function run<Row>(sql: Sql, { text, values = [] }: Statement): Promise<QueryResult<Row>> {
  return withDatabaseErrors(async () => {
    const parameters: postgres.ParameterOrJSON<never>[] = values.map(toWireValue);
    // Named statements are prepared if the connection allows them at all.
    const rows = await sql.unsafe<Row[]>(text, parameters, { prepare: true });
    return { rows: [...rows], rowCount: rows.count ?? rows.length };
  });
}

async function keepsSessions(sql: postgres.Sql<Record<string, unknown>>): Promise<boolean> {
  const result = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  if (result[0]?.pid === result.state.pid) return true;
  const channel = `probe_${crypto.randomUUID()}`;
  let isHeard = false;
  const { unlisten } = await sql.listen(channel, () => {
    isHeard = true;
  });
  await sql`select pg_notify(${channel}, '')`;
  // Postgres sends what a connection is to hear before it answers the next thing that the connection asks.
  const fence = await sql.listen(`${channel}_fence`, () => undefined);
  await Promise.all([unlisten(), fence.unlisten()]);
  return isHeard;
}

/** Tells how long the work took from sending to the answer, which for the first includes making a connection. */
async function timed<T>({ onTime }: WorkOptions, work: () => Promise<T>): Promise<T> {
  if (!onTime) return work();
  const start = performance.now();
  try {
    return await work();
  } finally {
    onTime(performance.now() - start);
  }
}
