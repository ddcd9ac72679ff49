/** A connection that listens to channels. If the connection is lost, it is opened again. */
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { type ConnectionSettings, PostgresConnection } from './postgres-connection.ts';

/** Maximum delay between two reconnects in milliseconds. The first delay is a tenth of it. */
const MAX_DELAY_MS = 500;

type Listener = (payload: string) => void;

export class Notifications {
  readonly #settings: ConnectionSettings;
  readonly #listeners = new Map<string, Set<Listener>>();
  #connection: Promise<PostgresConnection> | null = null;
  /** Resolves after the last statement. Statements run one at a time, because `pg` warns about queued statements. */
  #lastStatement: Promise<unknown> = Promise.resolve();
  #isResuming = false;
  #isClosed = false;

  constructor(settings: ConnectionSettings) {
    this.#settings = settings;
  }

  /**
   * Calls `listener` with the payload of each notification. After a reconnect it is called with '', because
   * notifications may have been lost.
   * @returns a function that stops listening, and never rejects
   * @throws DatabaseError
   */
  async listen(channel: string, listener: Listener): Promise<() => Promise<void>> {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(listener));
    try {
      await this.#send(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      this.#remove(channel, listener);
      throw error;
    }
    return async () => {
      if (!this.#remove(channel, listener) || this.#isClosed) return;
      // Ignore errors, so that a process can stop while the database is unreachable. Notifications without a listener
      // are ignored, and a new connection does not listen to the channel.
      await this.#send(`unlisten ${pg.escapeIdentifier(channel)}`).catch(() => undefined);
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const connection = await this.#connection?.catch(() => null);
    await connection?.close();
  }

  async #send(text: string): Promise<void> {
    const statement = this.#lastStatement.then(async () => {
      this.#connection ??= this.#open();
      const connection = await this.#connection;
      await connection.run([{ text }]);
    });
    this.#lastStatement = statement.catch(() => undefined);
    await statement;
  }

  /** @returns whether the channel has no listeners left */
  #remove(channel: string, listener: Listener): boolean {
    const listeners = this.#listeners.get(channel);
    if (!listeners?.delete(listener) || listeners.size > 0) return false;
    return this.#listeners.delete(channel);
  }

  async #open(): Promise<PostgresConnection> {
    try {
      const connection = await PostgresConnection.open(this.#settings);
      connection.onNotification((channel, payload) => this.#notify(channel, payload));
      void connection.closed.then(() => this.#resume());
      return connection;
    } catch (error) {
      this.#connection = null;
      throw error;
    }
  }

  async #resume(): Promise<void> {
    if (this.#isResuming) return;
    this.#isResuming = true;
    for (let delayMs = MAX_DELAY_MS / 10; !this.#isClosed; delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)) {
      this.#connection = null;
      if (await this.#listenAgain()) break;
      await wait(delayMs);
    }
    this.#isResuming = false;
  }

  /** @returns false if the server is unavailable, or the connection was lost again */
  async #listenAgain(): Promise<boolean> {
    try {
      for (const channel of this.#listeners.keys()) await this.#send(`listen ${pg.escapeIdentifier(channel)}`);
      for (const channel of this.#listeners.keys()) this.#notify(channel, '');
      return true;
    } catch {
      const connection = await this.#connection;
      connection?.destroy();
      return false;
    }
  }

  #notify(channel: string, payload: string): void {
    for (const listener of this.#listeners.get(channel) ?? []) listener(payload);
  }
}
