/** A pool of reusable connections. It has no queue: callers limit their concurrency. */
import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseError } from './database.ts';
import { type ConnectionSettings, PostgresConnection } from './postgres-connection.ts';

export class ConnectionPool {
  readonly #settings: ConnectionSettings;
  readonly #maxIdle: number;
  readonly #idle: PostgresConnection[] = [];
  readonly #inUse = new Set<PostgresConnection>();
  #isClosed = false;

  /** @param maxIdle number of idle connections that stay open */
  constructor(settings: ConnectionSettings, maxIdle: number) {
    this.#settings = settings;
    this.#maxIdle = maxIdle;
  }

  /** Lends a connection to `work`. @throws DatabaseError 57P01 if the pool is closed, 08001, errors of `work` */
  async use<T>(work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    const connection = this.#takeIdle() ?? (await this.#open());
    this.#inUse.add(connection);
    try {
      return await work(connection);
    } finally {
      this.#inUse.delete(connection);
      this.#release(connection);
    }
  }

  /** Discards the prepared statements of all connections. */
  discardPreparedStatements(): void {
    for (const connection of [...this.#idle, ...this.#inUse]) connection.discardPreparedStatements();
  }

  /** Closes all connections. Those in use are closed when their work ends, or after `graceMs` milliseconds. */
  async close(graceMs: number): Promise<void> {
    this.#isClosed = true;
    const connections = [...this.#idle.splice(0), ...this.#inUse];
    for (const connection of connections) if (!this.#inUse.has(connection)) void connection.close();
    const allEnded = Promise.all(connections.map((connection) => connection.closed));
    const hasEnded = await Promise.race([allEnded.then(() => true), wait(graceMs, false, { ref: false })]);
    if (hasEnded) return;
    for (const connection of connections) connection.destroy();
    await allEnded;
  }

  #takeIdle(): PostgresConnection | undefined {
    if (this.#isClosed) throw new DatabaseError({ code: '57P01', message: 'The database is closed' });
    return this.#idle.pop();
  }

  async #open(): Promise<PostgresConnection> {
    const connection = await PostgresConnection.open(this.#settings);
    void connection.closed.then(() => {
      const index = this.#idle.indexOf(connection);
      if (index >= 0) this.#idle.splice(index, 1);
    });
    return connection;
  }

  #release(connection: PostgresConnection): void {
    if (!connection.isUsable) connection.destroy();
    else if (this.#isClosed || this.#idle.length >= this.#maxIdle) void connection.close();
    else this.#idle.push(connection);
  }
}
