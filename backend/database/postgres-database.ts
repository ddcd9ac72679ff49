/** An own Postgres server as a Database, over postgres.js. Values and results look as with PGlite. */
import { setTimeout as wait } from 'node:timers/promises';
import postgres from 'postgres';
import {
  type Database,
  DatabaseError,
  OWN_DEADLINE_MS,
  type QueryResult,
  requireStillWanted,
  type SqlValue,
  type Statement,
  type Transaction,
  toWireValue,
  UNREACHABLE,
  type WorkOptions,
} from './database.ts';
import { parseTextArray } from './text-array.ts';

/** Parameters arrive as text already (toWireValue), so nothing is serialised a second time. */
const asText = (value: unknown) => (value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value);

const TYPES = {
  bool: { to: 16, from: [16], serialize: asText, parse: (text: string) => text === 't' },
  number: { to: 23, from: [20, 21, 23, 700, 701], serialize: asText, parse: Number },
  json: { to: 114, from: [114, 3802], serialize: asText, parse: (text: string) => JSON.parse(text) },
  jsonb: { to: 3802, from: [3802], serialize: asText, parse: (text: string) => JSON.parse(text) },
  date: { to: 1184, from: [1184], serialize: asText, parse: (text: string) => new Date(text) },
  plainDate: { to: 1082, from: [1082, 1114], serialize: asText, parse: (text: string) => text },
  textArray: { to: 1009, from: [1003, 1009, 1015, 2951], serialize: asText, parse: parseTextArray },
  bytea: { to: 17, from: [17], serialize: asText, parse: (text: string) => Buffer.from(text.slice(2), 'hex') },
} satisfies Record<string, postgres.PostgresType>;

/** Any number, the same in every copy of the process. */
const EXCLUSIVE_LOCK = 7_462_201;

/** How long a statement waits for a server that is away, such as one that restarts, in ms. */
const PATIENCE_MS = 2_000;
const AGAIN_AFTER_MS = 100;

/** Codes of connections that could not be made: nothing was sent. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'CONNECT_TIMEOUT',
]);
/** Codes of connections that ended; whether the statement was run is not known. */
const DISCONNECTED = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'CONNECTION_CLOSED', 'CONNECTION_DESTROYED']);

/** Connects lazily with up to `connections` connections, and one more while a script runs. */
export function openPostgresDatabase(url: string, connections = 10): Database {
  const options = {
    types: TYPES as unknown as Record<string, postgres.PostgresType>,
    // The types of arrays are in the list. The driver would ask each new connection for them, and a connection that ends
    // meanwhile would be an error that nobody can catch.
    fetch_types: false,
    onnotice: () => undefined,
    // In seconds: for a server that does not answer at all, which a busy one must not be taken for.
    connect_timeout: 5,
    // In seconds: what waits for a server that comes back should not wait for the next try.
    backoff: (retries: number) => Math.min(0.05 * 2 ** retries, 0.5),
  };
  const connect = (pool: { max: number; idle_timeout?: number }, statement_timeout: number) =>
    postgres(url, { ...options, ...pool, connection: { TimeZone: 'UTC', statement_timeout } });
  return new PostgresDatabase(connect({ max: connections }, OWN_DEADLINE_MS), connect({ max: 1, idle_timeout: 10 }, 0));
}

type Sql = postgres.Sql<Record<string, unknown>> | postgres.TransactionSql<Record<string, unknown>>;

class PostgresDatabase implements Database {
  readonly #sql: postgres.Sql<Record<string, unknown>>;
  /** For scripts, which have no deadline. */
  readonly #scripts: postgres.Sql<Record<string, unknown>>;

  constructor(sql: postgres.Sql<Record<string, unknown>>, scripts: postgres.Sql<Record<string, unknown>>) {
    this.#sql = sql;
    this.#scripts = scripts;
  }

  async query<Row>(
    text: string,
    values: readonly SqlValue[] = [],
    options: WorkOptions = {},
  ): Promise<QueryResult<Row>> {
    requireStillWanted(options);
    return onceReachable(() => timed(options, () => run<Row>(this.#sql, { text, values })));
  }

  async batch(statements: readonly Statement[], options: WorkOptions = {}): Promise<QueryResult[]> {
    return onceReachable(async () => {
      const results = await this.#sql.begin((tx) => {
        requireStillWanted(options);
        return timed(options, () => Promise.all(statements.map((statement) => run(tx, statement))));
      });
      return results as QueryResult[];
    });
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>, options: WorkOptions = {}): Promise<T> {
    return onceReachable(async () => {
      const result = await this.#sql.begin((sql) => {
        requireStillWanted(options);
        return work({
          run: (statement) => timed(options, () => run(sql, statement)),
          query: <Row>(text: string, values: readonly SqlValue[] = []) =>
            timed(options, () => run<Row>(sql, { text, values })),
        });
      });
      return result as T;
    });
  }

  async script(text: string): Promise<void> {
    await withDatabaseErrors(async () => {
      await this.#scripts.unsafe(text).simple();
    });
  }

  /** The lock is that of a transaction, which holds behind a pooler too; the work itself uses other connections. */
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    return withDatabaseErrors(async () => {
      const result = await this.#sql.begin(async (sql) => {
        await sql`select set_config(name, '0', true)
          from unnest(array['statement_timeout', 'idle_in_transaction_session_timeout']) as name`;
        await sql`select pg_advisory_xact_lock(${String(EXCLUSIVE_LOCK)})`;
        return work();
      });
      return result as T;
    });
  }

  async listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>> {
    let isFirst = true;
    const { unlisten } = await this.#sql.listen(channel, onNotify, () => {
      // Connected again after a loss: what was sent meanwhile is gone.
      if (!isFirst) onNotify('');
      isFirst = false;
    });
    return unlisten;
  }

  async close(): Promise<void> {
    await Promise.all([this.#sql.end({ timeout: 5 }), this.#scripts.end({ timeout: 5 })]);
  }
}

async function run<Row>(sql: Sql, { text, values = [] }: Statement): Promise<QueryResult<Row>> {
  return withDatabaseErrors(async () => {
    const parameters = values.map(toWireValue) as postgres.ParameterOrJSON<never>[];
    const rows = await sql.unsafe(text, parameters, { prepare: true });
    return { rows: [...rows] as unknown as Row[], rowCount: rows.count ?? rows.length };
  });
}

/** Tells how long the work took from sending to the answer, which on a busy pool includes the wait for a connection. */
async function timed<T>({ onTime }: WorkOptions, work: () => Promise<T>): Promise<T> {
  if (!onTime) return work();
  const start = performance.now();
  try {
    return await work();
  } finally {
    onTime(performance.now() - start);
  }
}

/** Runs the work once a connection can be made, or fails after a while. What was sent already is never sent again. */
async function onceReachable<T>(work: () => Promise<T>): Promise<T> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await withDatabaseErrors(work);
    } catch (error) {
      // 57P03: the server starts or stops, and took nothing.
      const mayTryAgain = error instanceof DatabaseError && ['08001', '57P03'].includes(error.code);
      if (!mayTryAgain || performance.now() > end) throw error;
      await wait(AGAIN_AFTER_MS);
    }
  }
}

async function withDatabaseErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof postgres.PostgresError)) throw asConnectionError(error);
    throw new DatabaseError({
      code: error.code,
      message: error.message,
      cause: error,
      ...(error.detail === undefined ? {} : { detail: error.detail }),
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      ...(error.constraint_name === undefined ? {} : { constraint: error.constraint_name }),
      ...(error.table_name === undefined ? {} : { table: error.table_name }),
      ...(error.column_name === undefined ? {} : { column: error.column_name }),
    });
  }
}

function asConnectionError(error: unknown): unknown {
  const name = error instanceof Error && 'code' in error ? String(error.code) : '';
  const code = NOT_CONNECTED.has(name) ? '08001' : DISCONNECTED.has(name) ? '08006' : null;
  return code ? new DatabaseError({ code, message: UNREACHABLE, cause: error }) : error;
}
