/** One connection to a Postgres server, using `pg`. */
import pg from 'pg';
import { DatabaseError, type Results, type Statement, UNREACHABLE } from './database.ts';
import { type Column, Exchange } from './exchange.ts';
import { connectionError, endsConnection, statementError } from './postgres-errors.ts';
import { PreparedStatements } from './prepared-statements.ts';

/** Address of a database: a `postgres://` URL, or its parts. `host` can be the folder of a Unix socket. */
export type PostgresAddress =
  | string
  | { host: string; port: number; user: string; database: string; password?: string };

export interface ConnectionSettings {
  address: PostgresAddress;
  /** Session settings in the startup message. Poolers reject them. */
  settings: Readonly<Record<string, string>>;
}

export interface BatchResult<Rows extends readonly unknown[]> {
  results: Results<Rows>;
  tag: string;
}

/** Connection timeout in milliseconds. A busy server accepts within a few seconds. */
const CONNECT_TIMEOUT_MS = 30_000;

/** Idle milliseconds until the kernel sends keepalive probes. */
const KEEP_ALIVE_MS = 60_000;

/**
 * SQLSTATEs of a prepared statement that is no longer valid: its columns changed (0A000), its parameter types changed
 * (42804, 42883), or the session was reset (26000).
 */
const OUTDATED_CODES = ['0A000', '42804', '42883', '26000'];

export class PostgresConnection {
  readonly #client: pg.Client;
  readonly #prepared = new PreparedStatements<Column>();
  /** Resolves when the connection has ended, for any reason. */
  readonly closed: Promise<void>;
  #isUsable = true;

  /** @throws DatabaseError 08001 if the server cannot be reached, or the server's own error */
  static async open(settings: ConnectionSettings): Promise<PostgresConnection> {
    const client = new pg.Client(clientConfig(settings));
    const connection = new PostgresConnection(client);
    try {
      await client.connect();
      return connection;
    } catch (error) {
      client.connection.stream.destroy();
      throw connectionError(error);
    }
  }

  private constructor(client: pg.Client) {
    this.#client = client;
    this.closed = new Promise((resolve) => client.once('end', resolve));
    const markUnusable = () => {
      this.#isUsable = false;
    };
    // Running statements report the loss themselves. Without a listener, the error would end the process.
    client.on('error', markUnusable).on('end', markUnusable);
  }

  /** False if the connection is lost, or if the server is about to close it. */
  get isUsable(): boolean {
    return this.#isUsable;
  }

  /** Process id reported by the server. Behind a pooler, it is not a real process id. */
  get processId(): number {
    return cancelKey(this.#client).processID;
  }

  /**
   * Runs `preamble` and then `statements` in one round trip. They are one transaction, unless a transaction is already
   * open.
   * @returns the results of `statements`, and the last command tag
   * @throws DatabaseError of the first failed statement; 08006 if the connection is lost
   */
  async run<Rows extends readonly unknown[]>(
    statements: readonly Statement[],
    preamble: readonly Statement[] = [],
  ): Promise<BatchResult<Rows>> {
    const exchange = new Exchange([...preamble, ...statements]);
    await this.#watch(() => this.#client.query(exchange).done);
    // TypeScript cannot map the list of statements to the tuple Rows.
    return { results: exchange.results.slice(preamble.length) as Results<Rows>, tag: exchange.tag };
  }

  /**
   * Runs statements in one round trip and one transaction, and keeps them prepared. No transaction may be open, and
   * there must be no pooler in transaction mode.
   * @throws DatabaseError of the first failed statement; 08006 if the connection is lost
   */
  async runPrepared<Rows extends readonly unknown[]>(statements: readonly Statement[]): Promise<BatchResult<Rows>> {
    const exchange = new Exchange(statements, this.#prepared);
    try {
      await this.#watch(() => this.#client.query(exchange).done);
    } catch (error) {
      const isOutdated = error instanceof DatabaseError && OUTDATED_CODES.includes(error.code);
      if (!isOutdated || !exchange.usesPrepared) throw error;
      this.discardPreparedStatements();
      // An exchange is one transaction, so no statement took effect.
      return this.run(statements);
    }
    return { results: exchange.results as unknown as Results<Rows>, tag: exchange.tag };
  }

  discardPreparedStatements(): void {
    this.#prepared.discardAll();
  }

  /** Runs a script of several statements without parameters. @throws DatabaseError */
  async script(text: string): Promise<void> {
    await this.#watch(() => this.#client.query(text));
  }

  /**
   * Asks the server to cancel the running statement, over a separate connection. Resolves when the request has been
   * processed, so that a late request cannot cancel the next statement.
   */
  async cancel(): Promise<void> {
    const { processID, secretKey } = cancelKey(this.#client);
    const { host, port, ssl } = this.#client;
    const cancelConnection = new CancelConnection({ ssl });
    const send = () => cancelConnection.cancel(processID, secretKey);
    cancelConnection.on('connect', () => (ssl ? cancelConnection.requestSsl() : send()));
    cancelConnection.on('sslconnect', send);
    // If the server cannot be reached, the timeout ends the statement.
    cancelConnection.on('error', () => undefined);
    const processed = new Promise<void>((resolve) => cancelConnection.once('end', resolve));
    const timeout = setTimeout(() => cancelConnection.stream.destroy(), CONNECT_TIMEOUT_MS);
    if (host.startsWith('/')) cancelConnection.connect(`${host}/.s.PGSQL.${port}`);
    else cancelConnection.connect(port, host);
    await processed;
    clearTimeout(timeout);
  }

  onNotification(listener: (channel: string, payload: string) => void): void {
    this.#client.on('notification', ({ channel, payload }) => listener(channel, payload ?? ''));
  }

  /** Closes the connection, and resolves when the server has ended the session. */
  async close(): Promise<void> {
    this.#isUsable = false;
    await this.#client.end();
  }

  /** Closes the connection, even while statements run. */
  destroy(): void {
    this.#isUsable = false;
    this.#client.connection.stream.destroy();
  }

  async #watch(work: () => Promise<unknown>): Promise<void> {
    if (!this.#isUsable) throw new DatabaseError({ code: '08006', message: UNREACHABLE });
    try {
      await work();
    } catch (error) {
      if (endsConnection(error)) this.#isUsable = false;
      throw statementError(error);
    }
  }
}

/** Low-level connection of `pg`, with methods that are missing from its types. */
class CancelConnection extends pg.Connection {
  declare connect: (port: number | string, host?: string) => void;
  declare requestSsl: () => void;
  declare cancel: (processId: number, secretKey: number) => void;
}

/** Returns the process id and the secret that a cancel request needs. */
function cancelKey(client: pg.Client & { processID?: number; secretKey?: number }) {
  const { processID = 0, secretKey = 0 } = client;
  return { processID, secretKey };
}

function clientConfig({ address, settings }: ConnectionSettings): pg.ClientConfig {
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  return {
    ...(typeof address === 'string' ? { connectionString: withLibpqModes(address) } : address),
    ...(options.length > 0 && { options: options.join(' ') }),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
}

/**
 * Gives `sslmode` the same meaning as libpq, because `pg` interprets it differently: `require` encrypts, and
 * `verify-full` also verifies the server.
 */
function withLibpqModes(address: string): string {
  if (!address.includes('sslmode=') || address.includes('uselibpqcompat=')) return address;
  return `${address}&uselibpqcompat=true`;
}
