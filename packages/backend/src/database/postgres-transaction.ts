/** A transaction of several round trips on one connection. */
import type { QueryResult, SqlValue, Statement, Transaction } from './database.ts';
import type { Answered, PostgresConnection } from './postgres-connection.ts';

/** Sends statements in one round trip, after those of `ahead`. */
type Send = <Rows extends readonly unknown[]>(
  statements: readonly Statement[],
  ahead?: readonly Statement[],
) => Promise<Answered<Rows>>;

export class PostgresTransaction implements Transaction {
  readonly #send: Send;
  /** Statements to send ahead of the first one. */
  #ahead: readonly Statement[];
  #last: Promise<unknown> = Promise.resolve();
  /** The first failed statement's error. */
  #failure: unknown;

  /** @param preamble first statements */
  constructor(send: Send, preamble: readonly Statement[]) {
    this.#send = send;
    this.#ahead = [{ text: 'begin' }, ...preamble];
  }

  async query<Row>(text: string, values: readonly SqlValue[] = []): Promise<QueryResult<Row>> {
    return this.run<Row>({ text, values });
  }

  /** Runs a statement after all earlier ones, even if they were not awaited. */
  async run<Row>(statement: Statement): Promise<QueryResult<Row>> {
    const sent = this.#last.then(() => this.#runNext<Row>(statement));
    this.#last = sent.catch(() => undefined);
    return sent;
  }

  /**
   * Commits if `work` resolves, and rolls back if it rejects.
   * @throws errors of `work`, DatabaseError
   */
  async complete<T>(work: (tx: Transaction) => Promise<T>, connection: PostgresConnection): Promise<T> {
    try {
      const result = await work(this);
      await this.#last;
      await this.#commit();
      return result;
    } catch (error) {
      await this.#last;
      await this.#rollBack(connection);
      throw error;
    }
  }

  async #runNext<Row>(statement: Statement): Promise<QueryResult<Row>> {
    try {
      const sending = this.#send<[Row]>([statement], this.#ahead);
      this.#ahead = [];
      return (await sending).results[0];
    } catch (error) {
      this.#failure ??= error;
      throw error;
    }
  }

  async #commit(): Promise<void> {
    if (this.#ahead.length > 0) return;
    const { tag } = await this.#send([{ text: 'commit' }]);
    // Postgres answers COMMIT with ROLLBACK if a statement failed and the work ignored it.
    if (tag === 'ROLLBACK') throw this.#failure;
  }

  async #rollBack(connection: PostgresConnection): Promise<void> {
    if (this.#ahead.length > 0 || !connection.isUsable) return;
    await connection.run([{ text: 'rollback' }]).catch(() => connection.destroy());
  }
}
