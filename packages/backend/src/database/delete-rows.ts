import type { Database, SqlValue } from './database.ts';

/** Rows per step. A step takes about 20 ms, so locks are short. */
export const ROWS_PER_STEP = 200;

/**
 * Deletes the rows of a table that match a condition, in steps with a transaction each. Several processes can run it at
 * the same time.
 * @param from the table, with an alias if the condition needs one
 */
export async function deleteRows(
  database: Pick<Database, 'query'>,
  { from, where, rows = ROWS_PER_STEP }: { from: string; where: string; rows?: number },
  values: readonly SqlValue[] = [],
): Promise<void> {
  // Deletes by ctid, so that a step needs no index to find its rows again.
  const step = `delete from ${from} where ctid = any (array(select ctid from ${from} where ${where} limit ${rows}))`;
  while ((await database.query(step, values)).rowCount > 0);
}
