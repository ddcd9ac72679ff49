import {
  type AnyRows,
  type Database,
  DatabaseError,
  type QueryResult,
  type Results,
  type Statement,
  type WorkOptions,
} from '../database/database.ts';
import { assumeRole, type RequestIdentity } from '../database/request-role.ts';
import type { Client, DatabaseTime } from '../http/database-time.ts';
import { responseTooLarge, tooManyResponses } from './rest-errors.ts';
import { isResponseTooLarge } from './sql/bounded-sql.ts';

/** Access to the database for one request, with the caller's role and time budget. */
export interface CallerDatabase {
  /**
   * Runs statements in one transaction. If there is a check, the transaction stays open until the check returns, and is
   * rolled back if the check throws. If there is no check, the transaction is a single round trip. If `rollsBack` is
   * true, it is rolled back after all statements and deferred constraints have succeeded.
   * @throws ApiError PGRST193, PGRST194, PGRST196, DatabaseError, errors of the check
   */
  run<Rows extends readonly unknown[] = AnyRows>(
    statements: readonly Statement[],
    options?: { isReadOnly?: boolean; check?: ResultCheck<Rows> | null; rollsBack?: boolean },
  ): Promise<Results<Rows>>;
}

export type ResultCheck<Rows extends readonly unknown[]> = (results: Results<Rows>) => void;

/** Returns the row of a statement that always returns one. */
export function onlyRow<Row>([{ rows }]: Results<[Row]>): Row {
  const [row] = rows;
  if (row === undefined) throw new Error('A statement that must return a row returned none');
  return row;
}

export interface Caller {
  identity: RequestIdentity;
  /** Address and account whose database time is charged. Null without limits. */
  client: Client | null;
  /** Aborts when the caller disconnects. Queued work is then skipped, and running work is cancelled. */
  signal: AbortSignal;
  responseBytes: number;
  /** Returns whether there is memory for another response. */
  hasRoom: () => boolean;
  /** The search path, as SQL. */
  searchPath: string;
}

/** @param time null without limits */
export function databaseFor(caller: Caller, database: Database, time: DatabaseTime | null): CallerDatabase {
  const { identity, client, signal, searchPath } = caller;
  return {
    async run(statements, { isReadOnly = false, check = null, rollsBack = false } = {}) {
      const transaction = { role: assumeRole(identity, { isReadOnly, searchPath }), statements, check, rollsBack };
      const work = (options: WorkOptions) => {
        // Check this after queueing, because other requests may have used the memory in the meantime.
        if (!caller.hasRoom()) throw tooManyResponses();
        return runTransaction(database, transaction, options);
      };
      try {
        if (time === null || client === null) return await work({ signal });
        return await time.run(client, (spend) =>
          chargeFor(work, { signal, spend, recordTimeout: () => time.recordTimeout(client) }),
        );
      } catch (error) {
        const isTooLarge = error instanceof DatabaseError && isResponseTooLarge(error);
        throw isTooLarge ? responseTooLarge(caller.responseBytes) : error;
      }
    },
  };
}

/**
 * Charges work to the caller's budget. A timeout is recorded, because repeated timeouts block the caller. If the client
 * disconnected, the work fails with the same code as after a timeout. It does not count as a timeout then, and only its
 * time is charged.
 */
async function chargeFor<T>(
  work: (options: WorkOptions) => Promise<T>,
  {
    signal,
    spend,
    recordTimeout,
  }: { signal: AbortSignal; spend: (milliseconds: number) => void; recordTimeout: () => void },
): Promise<T> {
  try {
    return await work({ signal, onTime: spend });
  } catch (error) {
    if (!signal.aborted && error instanceof DatabaseError && error.code === '57014') recordTimeout();
    throw error;
  }
}

interface CallerTransaction<Rows extends readonly unknown[]> {
  role: Statement;
  statements: readonly Statement[];
  check: ResultCheck<Rows> | null;
  rollsBack: boolean;
}

/** Thrown to roll back a successful transaction. */
class RollbackSignal extends Error {}

async function runTransaction<Rows extends readonly unknown[]>(
  database: Database,
  { role, statements, check, rollsBack }: CallerTransaction<Rows>,
  options: WorkOptions,
): Promise<Results<Rows>> {
  // TypeScript cannot map the list of statements to the tuple Rows.
  const asResults = (results: QueryResult[]) => results as Results<Rows>;
  if (check === null && !rollsBack) return asResults((await database.batch([role, ...statements], options)).slice(1));
  let results: QueryResult[] = [];
  const work = database.transaction(async (tx) => {
    await tx.run(role);
    results = [];
    for (const statement of statements) results.push(await tx.run(statement));
    check?.(asResults(results));
    if (!rollsBack) return;
    await tx.run({ text: 'set constraints all immediate' });
    throw new RollbackSignal();
  }, options);
  await work.catch((error: unknown) => {
    if (!(error instanceof RollbackSignal)) throw error;
  });
  return asResults(results);
}
