/** A Postgres server as a Database, using `pg`. */
import { setTimeout as wait } from 'node:timers/promises';
import { runWithoutCaller } from './caller.ts';
import { ConnectionPool } from './connection-pool.ts';
import {
  type Database,
  DatabaseError,
  type DatabaseLoad,
  DEFAULT_TIMEOUT_MS,
  type QueryResult,
  ReadOnlyServerError,
  type Results,
  requireNotAborted,
  type SqlValue,
  type Statement,
  type Transaction,
  type WorkOptions,
} from './database.ts';
import { DatabaseQueue } from './database-queue.ts';
import { Notifications } from './notifications.ts';
import type { ConnectionSettings, PostgresAddress, PostgresConnection } from './postgres-connection.ts';
import { PostgresTransaction } from './postgres-transaction.ts';

/** An arbitrary lock key, the same in every process. */
const EXCLUSIVE_LOCK = 7_462_201;

/** Maximum time that a statement waits for an unavailable server, for example during a restart. */
const RETRY_TIMEOUT_MS = 2_000;
const PROBE_INTERVAL_MS = 100;

/** Milliseconds that close() waits for running statements. */
const CLOSE_GRACE_MS = 5_000;

/** Milliseconds until a statement that is still running is cancelled again. */
const CANCEL_INTERVAL_MS = 100;

/** Settings of each transaction behind a pooler. Direct connections set them at startup. */
const POOLED_SETTINGS: Statement = {
  text: `select set_config('statement_timeout', $1, true), set_config('TimeZone', 'UTC', true)`,
  values: [String(DEFAULT_TIMEOUT_MS)],
  isReadOnly: true,
};

/** Thrown if the direct address is a pooler in transaction mode. Listening and scripts need a session. */
export class PoolerError extends Error {}

/**
 * Opens up to `connections` connections on demand, one more for `runExclusively` and scripts, and one more to listen.
 * If `directAddress` is set, `address` can be a pooler in transaction mode (pgbouncer). No session settings are then
 * sent to it.
 */
export function openPostgresDatabase(
  address: PostgresAddress,
  connections = 10,
  directAddress?: PostgresAddress,
): PostgresDatabase {
  return new PostgresDatabase(address, connections, directAddress);
}

export class PostgresDatabase implements Database {
  readonly #connections: number;
  readonly #isPooled: boolean;
  readonly #pool: ConnectionPool;
  /** Sessions without a timeout, for scripts. */
  readonly #direct: ConnectionPool;
  readonly #directSettings: ConnectionSettings;
  readonly #notifications: Notifications;
  /** Statements that run first in each transaction. */
  readonly #preamble: readonly Statement[];
  readonly #queue: DatabaseQueue;
  /** While the server is unavailable: the error, and a promise that resolves when it is available again. */
  #outage: { cause: DatabaseError; recovery: Promise<void> } | null = null;
  #isClosed = false;

  constructor(address: PostgresAddress, connections: number, directAddress?: PostgresAddress) {
    const isPooled = directAddress !== undefined;
    const settings = { TimeZone: 'UTC', statement_timeout: String(DEFAULT_TIMEOUT_MS) };
    this.#connections = connections;
    this.#isPooled = isPooled;
    this.#pool = new ConnectionPool({ address, settings: isPooled ? {} : settings }, connections);
    this.#directSettings = { address: directAddress ?? address, settings: { TimeZone: 'UTC', statement_timeout: '0' } };
    this.#direct = new ConnectionPool(this.#directSettings, 0);
    this.#notifications = new Notifications(this.#directSettings);
    this.#preamble = isPooled ? [POOLED_SETTINGS] : [];
    this.#queue = new DatabaseQueue(connections);
  }

  /**
   * Checks that the direct address has session semantics. Postgres reports the process id of a connection at its start,
   * but poolers invent one. A session pooler delivers notifications, but a transaction pooler loses them.
   * @throws PoolerError
   */
  async requireSessions(): Promise<void> {
    const isSession = await this.#withRetry(() => this.#direct.use(hasSessions));
    if (!isSession) throw new PoolerError('A pooler uses a different connection for each transaction');
  }

  async query<Row>(
    text: string,
    values: readonly SqlValue[] = [],
    options: WorkOptions = {},
  ): Promise<QueryResult<Row>> {
    return (await this.batch<[Row]>([{ text, values }], options))[0];
  }

  async batch<Rows extends readonly unknown[]>(
    statements: readonly Statement[],
    options: WorkOptions = {},
  ): Promise<Results<Rows>> {
    return this.#runQueued(statements, options, async (connection, tracked) => {
      const run = () =>
        this.#isPooled ? connection.run<Rows>(statements, this.#preamble) : connection.runPrepared<Rows>(statements);
      return (await withAbort(connection, tracked, run)).results;
    });
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>, options: WorkOptions = {}): Promise<T> {
    const sentStatements: Statement[] = [];
    return this.#runQueued(sentStatements, options, async (connection, tracked) => {
      const transaction = new PostgresTransaction((statements, preamble) => {
        sentStatements.push(...statements);
        return withAbort(connection, tracked, () => connection.run(statements, preamble));
      }, this.#preamble);
      return transaction.complete(work, connection);
    });
  }

  load(): DatabaseLoad {
    const { running, waiting: queued, rejected } = this.#queue;
    return { connections: this.#connections, running, queued, rejected };
  }

  /**
   * Runs the work when it is first in the queue and a connection is available.
   * @param statements initial statements. A transaction adds more
   */
  async #runQueued<T>(
    statements: readonly Statement[],
    options: WorkOptions,
    work: (connection: PostgresConnection, options: WorkOptions) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.#withRetry(() =>
        this.#queue.run(options, (tracked) => this.#pool.use((connection) => work(connection, tracked))),
      );
    } catch (error) {
      const mayChange = !statements.some(({ isReadOnly }) => isReadOnly);
      if (!mayChange || !(error instanceof DatabaseError) || error.code !== '25006') throw error;
      this.#disconnectStandby();
      throw new ReadOnlyServerError({ cause: error });
    }
  }

  /**
   * Runs the work as soon as a connection can be opened, or fails after a timeout. Work that has been sent is never
   * sent again. While the server is unavailable, a single loop checks whether it is available again, and the queued
   * work waits.
   */
  async #withRetry<T>(work: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + RETRY_TIMEOUT_MS;
    for (;;) {
      if (this.#outage) await Promise.race([this.#outage.recovery, wait(Math.max(0, deadline - performance.now()))]);
      if (this.#outage) throw this.#outage.cause;
      try {
        return await work();
      } catch (error) {
        // 57P03: the server is starting or stopping, and ran nothing.
        if (!(error instanceof DatabaseError && ['08001', '57P03'].includes(error.code))) throw error;
        this.#outage ??= { cause: error, recovery: this.#waitForServer() };
      }
    }
  }

  async #waitForServer(): Promise<void> {
    let isAvailable = false;
    while (!isAvailable && !this.#isClosed) {
      await wait(PROBE_INTERVAL_MS);
      isAvailable = await this.#pool.use(probe).catch(() => false);
    }
    this.#outage = null;
  }

  /**
   * Closes a connection to a standby, such as a former primary, so that the next connection is made to the current
   * primary.
   */
  #disconnectStandby(): void {
    const terminate = 'select pg_terminate_backend(pg_backend_pid()) where pg_is_in_recovery()';
    this.#pool.use((connection) => connection.run([{ text: terminate }])).catch(() => undefined);
  }

  discardPreparedStatements(): void {
    this.#pool.discardPreparedStatements();
  }

  async script(text: string): Promise<void> {
    await this.#direct.use((connection) => connection.script(text));
  }

  /** Uses a transaction-level lock, which also works behind a pooler. The work itself uses other connections. */
  async runExclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.#pool.use((connection) =>
      new PostgresTransaction((statements, preamble) => connection.run(statements, preamble), this.#preamble).complete(
        async (tx) => {
          await tx.query(`select set_config(name, '0', true)
          from unnest(array['statement_timeout', 'idle_in_transaction_session_timeout']) as name`);
          await tx.query(`select pg_advisory_xact_lock(${EXCLUSIVE_LOCK})`);
          return work();
        },
        connection,
      ),
    );
  }

  async listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>> {
    // Listeners run as background work, not on behalf of the current request.
    return this.#notifications.listen(channel, (payload) => runWithoutCaller(() => onNotify(payload)));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([
      this.#notifications.close(),
      this.#pool.close(CLOSE_GRACE_MS),
      this.#direct.close(CLOSE_GRACE_MS),
    ]);
  }
}

async function probe(connection: PostgresConnection): Promise<boolean> {
  await connection.run([{ text: 'select 1' }]);
  return true;
}

async function hasSessions(connection: PostgresConnection): Promise<boolean> {
  const { results } = await connection.run<[{ pid: number }]>([{ text: 'select pg_backend_pid() as pid' }]);
  if (results[0].rows[0]?.pid === connection.processId) return true;
  const channel = `probe_${crypto.randomUUID().replaceAll('-', '_')}`;
  let isDelivered = false;
  connection.onNotification((name) => {
    isDelivered ||= name === channel;
  });
  await connection.run([{ text: `listen ${channel}` }]);
  await connection.run([{ text: `notify ${channel}` }]);
  // Postgres sends pending notifications before the response to the session's next statement.
  await connection.run([{ text: `unlisten ${channel}` }]);
  return isDelivered;
}

/** Cancels the work on the connection if its client disconnects, and measures the time from request to response. */
async function withAbort<T>(connection: PostgresConnection, options: WorkOptions, work: () => Promise<T>): Promise<T> {
  const { signal, onTime } = options;
  // The client may have disconnected during the wait.
  requireNotAborted(options);
  let isRunning = true;
  let cancelled: Promise<void> | undefined;
  const cancel = async () => {
    // The server ignores a cancel request that arrives before the statement.
    for (; isRunning; await wait(CANCEL_INTERVAL_MS)) await connection.cancel();
  };
  const onAbort = () => {
    cancelled = cancel();
  };
  signal?.addEventListener('abort', onAbort);
  const start = performance.now();
  try {
    return await work();
  } finally {
    isRunning = false;
    onTime?.(performance.now() - start);
    signal?.removeEventListener('abort', onAbort);
    await cancelled;
  }
}
