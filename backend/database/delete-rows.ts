import type { Database, SqlValue } from './database.ts';

/** Rows of a table that one step deletes: a step is over in some 20 ms, in which the built-in database answers nobody. */
export const ROWS_PER_STEP = 200;

/**
 * Deletes the rows of a table for which a condition holds, in steps between which others have their turn. Several copies
 * of the process may do it: each step is one statement, and what is gone is gone.
 * @param from the table, with an alias if the condition needs one
 */
export async function deleteRows(
  database: Pick<Database, 'query'>,
  { from, where, rows = ROWS_PER_STEP }: { from: string; where: string; rows?: number },
  values: readonly SqlValue[] = [],
): Promise<void> {
  // By their place in the table, so that a step finds them again without reading it.
  const step = `delete from ${from} where ctid = any (array(select ctid from ${from} where ${where} limit ${rows}))`;
  while ((await database.query(step, values)).rowCount > 0);
}
