/** A transaction of several exchanges on one connection. */
import type { QueryResult, SqlValue, Statement, Transaction } from './database.ts';
import type { Answered, PostgresConnection } from './postgres-connection.ts';

/** Sends statements in one round trip, behind those of `ahead`. */
type Send = <Rows extends readonly unknown[]>(
  statements: readonly Statement[],
  ahead?: readonly Statement[],
) => Promise<Answered<Rows>>;

export class PostgresTransaction implements Transaction {
  readonly #send: Send;
  /** Statements that go ahead of the first one, in its round trip. */
  #ahead: readonly Statement[];
  #last: Promise<unknown> = Promise.resolve();
  /** The first error of a statement. */
  #failure: unknown;

  /** @param preamble statements that it begins with */
  constructor(send: Send, preamble: readonly Statement[]) {
    this.#send = send;
    this.#ahead = [{ text: 'begin' }, ...preamble];
  }

  async query<Row>(text: string, values: readonly SqlValue[] = []): Promise<QueryResult<Row>> {
    return this.run<Row>({ text, values });
  }

  /** Statements that are not awaited run one after the other. */
  async run<Row>(statement: Statement): Promise<QueryResult<Row>> {
    const sent = this.#last.then(() => this.#runNext<Row>(statement));
    this.#last = sent.catch(() => undefined);
    return sent;
  }

  /**
   * Commits when `work` resolves, and rolls back when it rejects.
   * @throws what `work` throws, DatabaseError
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
    // Postgres answers so after a statement failed whose error the work did not pass on.
    if (tag === 'ROLLBACK') throw this.#failure;
  }

  async #rollBack(connection: PostgresConnection): Promise<void> {
    if (this.#ahead.length > 0 || !connection.isUsable) return;
    await connection.run([{ text: 'rollback' }]).catch(() => connection.destroy());
  }
}
