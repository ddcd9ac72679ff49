import type { Database, SqlValue } from './database.ts';

/** Rows per batch. A batch takes about 20 ms, so locks are short. */
export const BATCH_SIZE = 200;

/**
 * Deletes the rows of a table that match a condition, in batches with a transaction each. Several processes can run it
 * at the same time.
 * @param from the table, with an alias if the condition needs one
 */
export async function deleteRows(
  database: Pick<Database, 'query'>,
  { from, where, rows = BATCH_SIZE }: { from: string; where: string; rows?: number },
  values: readonly SqlValue[] = [],
): Promise<void> {
  // Deletes by ctid, so that a batch needs no index to find its rows again.
  const batch = `delete from ${from} where ctid = any (array(select ctid from ${from} where ${where} limit ${rows}))`;
  while ((await database.query(batch, values)).rowCount > 0);
}
