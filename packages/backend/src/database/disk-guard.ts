/** A database that is read-only while its disk is nearly full. */
import {
  type AnyRows,
  type Database,
  DatabaseError,
  DISK_FULL,
  isUnreachable,
  type QueryResult,
  type Results,
  type SqlValue,
  type Statement,
  type Transaction,
  type WorkOptions,
} from './database.ts';
import type { DiskSpace } from './disk-space.ts';

const READ_ONLY: Statement = { text: `select set_config('transaction_read_only', 'on', true)` };

/** Rejects a write while the disk is nearly full. */
export class DiskFullError extends DatabaseError {
  constructor(options: { cause?: unknown } = {}) {
    super({
      code: '53100',
      message: DISK_FULL,
      hint: 'Free disk space in the data folder. Writes then resume automatically.',
      ...options,
    });
  }
}

export class DiskGuard implements Database {
  readonly #database: Database;
  readonly #diskSpace: DiskSpace;

  constructor(database: Database, diskSpace: DiskSpace) {
    this.#database = database;
    this.#diskSpace = diskSpace;
  }

  async query<Row>(text: string, values?: readonly SqlValue[], options?: WorkOptions): Promise<QueryResult<Row>> {
    const statement = values ? { text, values } : { text };
    return (await this.batch<[Row]>([statement], options))[0];
  }

  batch<Rows extends readonly unknown[] = AnyRows>(
    statements: readonly Statement[],
    options?: WorkOptions,
  ): Promise<Results<Rows>> {
    return this.#guard(async (isReadOnly) => {
      if (!isReadOnly) return this.#database.batch<Rows>(statements, options);
      const [, ...results] = await this.#database.batch<[unknown, ...Rows]>([READ_ONLY, ...statements], options);
      return results;
    });
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: WorkOptions): Promise<T> {
    return this.#guard((isReadOnly) =>
      this.#database.transaction(async (tx) => {
        if (isReadOnly) await tx.run(READ_ONLY);
        return work(tx);
      }, options),
    );
  }

  script(sql: string): Promise<void> {
    return this.#guard((isReadOnly) => this.#database.script(isReadOnly ? `${READ_ONLY.text};\n${sql}` : sql));
  }

  runExclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.#database.runExclusively(work);
  }

  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>> {
    return this.#database.listen(channel, onNotify);
  }

  discardPreparedStatements(): void {
    this.#database.discardPreparedStatements();
  }

  load() {
    return this.#database.load?.() ?? { connections: 0, running: 0, queued: 0, rejected: 0 };
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  /**
   * Calls `work` with a flag that is true if it must be read-only. Reports a full disk if a write is rejected (25006)
   * or the server stops.
   */
  async #guard<T>(work: (isReadOnly: boolean) => Promise<T>): Promise<T> {
    const isReadOnly = !(await this.#diskSpace.isEnough());
    try {
      return await work(isReadOnly);
    } catch (error) {
      const isRejected = isReadOnly && error instanceof DatabaseError && error.code === '25006';
      const isStopped = isUnreachable(error) && !(await this.#diskSpace.isEnough());
      throw isRejected || isStopped ? new DiskFullError({ cause: error }) : error;
    }
  }
}
