import type { ResultCheck } from './caller-database.ts';
import { onlyRow } from './caller-database.ts';
import { explain } from './explain.ts';
import { parseRows } from './parse/parse-payload.ts';
import type { RestRequest } from './parse/parse-request.ts';
import { requireTable } from './plan/require-table.ts';
import { planWrite } from './plan/write-plan.ts';
import { respondToWrite, type WriteResult } from './respond/write-response.ts';
import type { RestCall } from './rest-call.ts';
import { missingFilter, notASingleRow, putKeyMismatch, tooManyAffected } from './rest-errors.ts';
import { writeStatement } from './sql/write-sql.ts';

/** @throws ApiError, DatabaseError */
export async function writeTable(call: RestCall): Promise<Response> {
  const { request, schema, limits } = call;
  const table = requireTable(schema, request.target.name);
  const hasBody = request.method !== 'DELETE';
  const payload = hasBody ? parseRows(await call.readBody(), request.query.columns, limits) : null;
  const plan = planWrite(call, table, payload);
  if (plan.kind !== 'insert' && plan.conditions.length === 0) throw missingFilter(plan.kind);
  const statement = writeStatement(plan, request.mediaType, limits.responseBytes);
  if (request.mediaType.plan) return explain(call, request.mediaType.plan, statement, { isReadOnly: false });
  const rollsBack = request.preferences.tx === 'rollback';
  const results = await call.database.run<[WriteResult]>([statement], { check: resultCheck(request), rollsBack });
  return respondToWrite(request, plan, onlyRow(results));
}

/** Returns the check on the number of rows, or null if any number is accepted. */
function resultCheck(request: RestRequest): ResultCheck<[WriteResult]> | null {
  const { mediaType, preferences, method } = request;
  const maxAffected = preferences.handling === 'strict' && method !== 'POST' ? preferences.maxAffected : null;
  if (mediaType.kind !== 'object' && maxAffected === null && method !== 'PUT') return null;
  return (results) => {
    const { rows } = onlyRow(results);
    if (method === 'PUT' && rows !== 1) throw putKeyMismatch();
    if (maxAffected !== null && rows > maxAffected) throw tooManyAffected(rows);
    if (mediaType.kind === 'object' && rows !== 1) throw notASingleRow(rows);
  };
}
