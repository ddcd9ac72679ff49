/** POST, PATCH, PUT and DELETE of a table or view. */
import type { Database, QueryResult } from '../database/database.ts';
import type { RequestIdentity } from '../database/request-role.ts';
import { parseRows } from './parse/parse-payload.ts';
import type { RestRequest } from './parse/parse-request.ts';
import { requireTable } from './plan/require-table.ts';
import { planWrite } from './plan/write-plan.ts';
import { respondToWrite, type WriteResult } from './respond/write-response.ts';
import { missingWhere, notASingleRow, putKeyMismatch, tooManyAffected } from './rest-errors.ts';
import { runChecked } from './run-checked.ts';
import type { SchemaCache } from './schema/schema-cache.ts';
import { writeStatement } from './sql/write-sql.ts';

/** @throws ApiError, DatabaseError */
export async function writeTable(
  database: Database,
  schema: SchemaCache,
  request: RestRequest,
  identity: RequestIdentity,
  body: Request,
): Promise<Response> {
  const table = requireTable(schema, request.target.name);
  const payload = request.method === 'DELETE' ? null : await parseRows(body, request.query.columns);
  const plan = planWrite(schema, table, request, payload);
  if (plan.kind !== 'insert' && plan.conditions.length === 0) throw missingWhere(plan.kind);
  const statement = writeStatement(plan, request.mediaType);
  const result = await runChecked(database, identity, statement, { check: resultCheck(request) });
  return respondToWrite(request, plan, firstRow(result));
}

/** What the number of rows must fulfil for the write to stand; null when any number will do. */
function resultCheck(request: RestRequest): ((result: QueryResult) => void) | null {
  const { mediaType, preferences, method } = request;
  const maxAffected = preferences.handling === 'strict' && method !== 'POST' ? preferences.maxAffected : null;
  if (mediaType.kind !== 'object' && maxAffected === null && method !== 'PUT') return null;
  return (result) => {
    const { rows } = firstRow(result);
    if (method === 'PUT' && rows !== 1) throw putKeyMismatch();
    if (maxAffected !== null && rows > maxAffected) throw tooManyAffected(rows);
    if (mediaType.kind === 'object' && rows !== 1) throw notASingleRow(rows);
  };
}

function firstRow({ rows: [row] }: QueryResult): WriteResult {
  return row as unknown as WriteResult;
}
