/** A transaction of several round trips on one connection. */
import type { QueryResult, SqlValue, Statement, Transaction } from './database.ts';
import type { BatchResult, PostgresConnection } from './postgres-connection.ts';

/** Sends the preamble and the statements in one round trip. */
type Send = <Rows extends readonly unknown[]>(
  statements: readonly Statement[],
  preamble?: readonly Statement[],
) => Promise<BatchResult<Rows>>;

export class PostgresTransaction implements Transaction {
  readonly #send: Send;
  /** Statements sent together with the first query. Empty after that. */
  #preamble: readonly Statement[];
  #lastStatement: Promise<unknown> = Promise.resolve();
  /** Error of the first failed statement. */
  #failure: unknown;

  /** @param preamble statements to run directly after `begin` */
  constructor(send: Send, preamble: readonly Statement[]) {
    this.#send = send;
    this.#preamble = [{ text: 'begin' }, ...preamble];
  }

  async query<Row>(text: string, values: readonly SqlValue[] = []): Promise<QueryResult<Row>> {
    return this.run<Row>({ text, values });
  }

  /** Runs a statement after all earlier ones, even if they were not awaited. */
  async run<Row>(statement: Statement): Promise<QueryResult<Row>> {
    const result = this.#lastStatement.then(() => this.#runNext<Row>(statement));
    this.#lastStatement = result.catch(() => undefined);
    return result;
  }

  /**
   * Commits if `work` resolves, and rolls back if it rejects.
   * @throws errors of `work`, DatabaseError
   */
  async complete<T>(work: (tx: Transaction) => Promise<T>, connection: PostgresConnection): Promise<T> {
    try {
      const result = await work(this);
      await this.#lastStatement;
      await this.#commit();
      return result;
    } catch (error) {
      await this.#lastStatement;
      await this.#rollBack(connection);
      throw error;
    }
  }

  async #runNext<Row>(statement: Statement): Promise<QueryResult<Row>> {
    try {
      const response = this.#send<[Row]>([statement], this.#preamble);
      this.#preamble = [];
      return (await response).results[0];
    } catch (error) {
      this.#failure ??= error;
      throw error;
    }
  }

  async #commit(): Promise<void> {
    if (this.#preamble.length > 0) return;
    const { tag } = await this.#send([{ text: 'commit' }]);
    // Postgres answers COMMIT with ROLLBACK if a statement failed and the work ignored it.
    if (tag === 'ROLLBACK') throw this.#failure;
  }

  async #rollBack(connection: PostgresConnection): Promise<void> {
    if (this.#preamble.length > 0 || !connection.isUsable) return;
    await connection.run([{ text: 'rollback' }]).catch(() => connection.destroy());
  }
}
