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
import { answerTooLarge, tooManyAnswers } from './rest-errors.ts';
import { isAnswerTooLarge } from './sql/answer-sql.ts';

/** The database for one request: with the caller's role and time budget. */
export interface CallerDatabase {
  /**
   * Runs statements in one transaction. With a check, the transaction stays open until the check has seen the results,
   * and an error of the check rolls back. Without a check, it is a single round trip. With `rollsBack`, the
   * statements are rolled back after they succeeded, including deferred constraints.
   * @throws ApiError PGRST193, PGRST194, PGRST196, DatabaseError, errors of the check
   */
  run<Rows extends readonly unknown[] = AnyRows>(
    statements: readonly Statement[],
    options?: { readOnly?: boolean; check?: ResultCheck<Rows> | null; rollsBack?: boolean },
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
  /** Address and account that are charged; null without limits. */
  client: Client | null;
  /** Aborts when the caller disconnects. Work is then not started, or cancelled. */
  signal: AbortSignal;
  answerBytes: number;
  /** Returns whether there is memory for their answers. */
  hasRoom: () => boolean;
  /** The search path, as SQL. */
  searchPath: string;
}

/** @param time null without limits */
export function databaseFor(caller: Caller, database: Database, time: DatabaseTime | null): CallerDatabase {
  const { identity, client, signal, searchPath } = caller;
  return {
    async run(statements, { readOnly = false, check = null, rollsBack = false } = {}) {
      const transaction = { role: assumeRole(identity, { readOnly, searchPath }), statements, check, rollsBack };
      const work = (options: WorkOptions) => {
        // Checked when the turn comes, because other requests may have filled the memory since.
        if (!caller.hasRoom()) throw tooManyAnswers();
        return runTransaction(database, transaction, options);
      };
      try {
        if (time === null || client === null) return await work({ signal });
        return await time.run(client, (spend) => chargeFor(work, { signal, spend, strike: () => time.strike(client) }));
      } catch (error) {
        const isTooLarge = error instanceof DatabaseError && isAnswerTooLarge(error);
        throw isTooLarge ? answerTooLarge(caller.answerBytes) : error;
      }
    },
  };
}

/**
 * Charges work to the caller's budget. A timeout is a strike. Work that was cancelled because its client disconnected
 * fails with the same code, but only costs its time.
 */
async function chargeFor<T>(
  work: (options: WorkOptions) => Promise<T>,
  { signal, spend, strike }: { signal: AbortSignal; spend: (milliseconds: number) => void; strike: () => void },
): Promise<T> {
  try {
    return await work({ signal, onTime: spend });
  } catch (error) {
    if (!signal.aborted && error instanceof DatabaseError && error.code === '57014') strike();
    throw error;
  }
}

interface CallerTransaction<Rows extends readonly unknown[]> {
  role: Statement;
  statements: readonly Statement[];
  check: ResultCheck<Rows> | null;
  rollsBack: boolean;
}

/** Rolls back a successful transaction. */
class RolledBack extends Error {}

async function runTransaction<Rows extends readonly unknown[]>(
  database: Database,
  { role, statements, check, rollsBack }: CallerTransaction<Rows>,
  options: WorkOptions,
): Promise<Results<Rows>> {
  // TypeScript cannot map the list of statements to the tuple Rows.
  const typed = (results: QueryResult[]) => results as Results<Rows>;
  if (check === null && !rollsBack) return typed((await database.batch([role, ...statements], options)).slice(1));
  let results: QueryResult[] = [];
  const work = database.transaction(async (tx) => {
    await tx.run(role);
    results = [];
    for (const statement of statements) results.push(await tx.run(statement));
    check?.(typed(results));
    if (!rollsBack) return;
    await tx.run({ text: 'set constraints all immediate' });
    throw new RolledBack();
  }, options);
  await work.catch((error: unknown) => {
    if (!(error instanceof RolledBack)) throw error;
  });
  return typed(results);
}
