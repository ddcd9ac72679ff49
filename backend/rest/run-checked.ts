import type { Database, QueryResult, Statement } from '../database/database.ts';
import { assumeRole, type RequestIdentity } from '../database/request-role.ts';

/**
 * Runs a statement as the person who asks. With a check, the transaction stays open until the check has seen the
 * result, and what it throws undoes the statement; without one, everything is a single round trip.
 */
export async function runChecked(
  database: Database,
  identity: RequestIdentity,
  statement: Statement,
  options: { readOnly?: boolean; check: ((result: QueryResult) => void) | null },
): Promise<QueryResult> {
  const role = assumeRole(identity, { readOnly: options.readOnly ?? false });
  const { check } = options;
  if (check === null) {
    const [, result] = await database.batch([role, statement]);
    return result ?? { rows: [], rowCount: 0 };
  }
  return database.transaction(async (tx) => {
    await tx.run(role);
    const result = await tx.run(statement);
    check(result);
    return result;
  });
}
