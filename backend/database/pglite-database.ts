/**
 * PGlite as a Database. PGlite is one connection, so work queues up first come, first served. Statements are sent as
 * raw extended-protocol messages, which PGlite's own query() does not allow: a batch is one WebAssembly call, parses
 * each statement once per process, and needs no BEGIN, because everything up to one Sync is one transaction
 * (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING).
 */
import { messages, PGlite, protocol } from '@electric-sql/pglite';
import {
  type Database,
  DatabaseError,
  type QueryResult,
  requireStillWanted,
  type SqlValue,
  type Statement,
  type Transaction,
  toWireValue,
  type WorkOptions,
} from './database.ts';
import { parseResults } from './pglite-results.ts';

const { serialize } = protocol;

/** A quarter of Postgres's default: the site's whole content fits, and the process stays 100 MB smaller. */
const SHARED_BUFFERS = '32MB';

/** Prepared statements kept; the oldest is closed when one more comes. */
const MAX_PREPARED = 500;

/** Opens (or creates) the database in `folder`; undefined means in memory. A dump of `dumpDataDir` can be loaded. */
export async function openPgliteDatabase(options: { folder?: string; load?: Blob }): Promise<PgliteDatabase> {
  const pglite = await PGlite.create({
    startParams: [...PGlite.defaultStartParams, '-c', `shared_buffers=${SHARED_BUFFERS}`],
    ...(options.folder ? { dataDir: options.folder } : {}),
    ...(options.load ? { loadDataDir: options.load } : {}),
  });
  return new PgliteDatabase(pglite);
}

export class PgliteDatabase implements Database {
  readonly #pglite: PGlite;
  readonly #prepared = new Map<string, string>();
  #nextName = 0;
  /** Names of statements parsed in a batch that failed: they may or may not exist, closing either is no error. */
  #closeNext: string[] = [];
  #queue: Promise<unknown> = Promise.resolve();

  constructor(pglite: PGlite) {
    this.#pglite = pglite;
  }

  async query<Row>(
    text: string,
    values: readonly SqlValue[] = [],
    options: WorkOptions = {},
  ): Promise<QueryResult<Row>> {
    return this.#exclusively(() => {
      requireStillWanted(options);
      return this.#run<Row>({ text, values }, options);
    });
  }

  async batch(statements: readonly Statement[], options: WorkOptions = {}): Promise<QueryResult[]> {
    return this.#exclusively(() => {
      requireStillWanted(options);
      return this.#send(statements, options);
    });
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>, options: WorkOptions = {}): Promise<T> {
    return this.#exclusively(async () => {
      requireStillWanted(options);
      await this.#run({ text: 'begin' }, options);
      let result: T;
      try {
        result = await work({
          run: (statement) => this.#run(statement, options),
          query: (text, values = []) => this.#run({ text, values }, options),
        });
      } catch (error) {
        await this.#run({ text: 'rollback' }, options);
        throw error;
      }
      await this.#run({ text: 'commit' }, options);
      return result;
    });
  }

  async script(sql: string): Promise<void> {
    await this.#exclusively(() => this.#protocol(serialize.query(sql)));
  }

  async listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>> {
    const stop = this.#pglite.onNotification((from, payload) => {
      if (from === channel) onNotify(payload);
    });
    await this.query(`listen "${channel.replaceAll('"', '""')}"`);
    return async () => stop();
  }

  /** The whole database as a tar file; the tests start from one instead of migrating each time. */
  async dump(): Promise<Blob> {
    return this.#exclusively(() => this.#pglite.dumpDataDir('none'));
  }

  async close(): Promise<void> {
    await this.#exclusively(() => this.#pglite.close());
  }

  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work, work);
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  async #run<Row>(statement: Statement, options: WorkOptions): Promise<QueryResult<Row>> {
    const [result] = await this.#send([statement], options);
    return (result ?? { rows: [], rowCount: 0 }) as QueryResult<Row>;
  }

  async #send(statements: readonly Statement[], options: WorkOptions): Promise<QueryResult[]> {
    const parsedNow: string[] = [];
    const parts = this.#closeNext.splice(0).map((name) => serialize.close({ type: 'S', name }));
    for (const { text, values = [] } of statements) {
      let name = this.#prepared.get(text);
      if (name === undefined) {
        name = `s${this.#nextName++}`;
        this.#prepared.set(text, name);
        parsedNow.push(text);
        parts.push(serialize.parse({ name, text }));
      }
      parts.push(
        serialize.bind({ statement: name, values: values.map(toWireValue) }),
        serialize.describe({ type: 'P' }),
        serialize.execute({}),
      );
    }
    while (this.#prepared.size > MAX_PREPARED + parsedNow.length) {
      const oldest = this.#prepared.entries().next().value;
      if (!oldest) break;
      this.#prepared.delete(oldest[0]);
      parts.push(serialize.close({ type: 'S', name: oldest[1] }));
    }
    parts.push(serialize.sync());
    const start = performance.now();
    try {
      return parseResults(await this.#protocol(Buffer.concat(parts)));
    } catch (error) {
      for (const text of parsedNow) {
        this.#closeNext.push(this.#prepared.get(text) ?? '');
        this.#prepared.delete(text);
      }
      if (error instanceof DatabaseError && error.code === '0A000' && error.message.startsWith('cached plan')) {
        this.#prepared.clear();
        if (!this.#pglite.isInTransaction()) return this.#send(statements, options);
      }
      throw error;
    } finally {
      options.onTime?.(performance.now() - start);
    }
  }

  async #protocol(message: Uint8Array): Promise<BackendMessages> {
    try {
      return (await this.#pglite.execProtocol(message)).messages;
    } catch (error) {
      throw error instanceof messages.DatabaseError ? asDatabaseError(error) : error;
    }
  }
}

type BackendMessages = Awaited<ReturnType<PGlite['execProtocol']>>['messages'];

function asDatabaseError(error: messages.DatabaseError): DatabaseError {
  const { code, message, detail, hint, constraint, table, column } = error;
  return new DatabaseError({
    message,
    cause: error,
    ...(code === undefined ? {} : { code }),
    ...(detail === undefined ? {} : { detail }),
    ...(hint === undefined ? {} : { hint }),
    ...(constraint === undefined ? {} : { constraint }),
    ...(table === undefined ? {} : { table }),
    ...(column === undefined ? {} : { column }),
  });
}
