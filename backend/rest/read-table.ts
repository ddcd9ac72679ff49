/** GET and HEAD of a table or view. */
import type { Database, Statement } from '../database/database.ts';
import { assumeRole, type RequestIdentity } from '../database/request-role.ts';
import type { RestRequest } from './parse/parse-request.ts';
import { planRead, type ReadPlan } from './plan/read-plan.ts';
import { requireTable } from './plan/require-table.ts';
import { respondToRead } from './respond/read-response.ts';
import type { SchemaCache } from './schema/schema-cache.ts';
import { bodySql } from './sql/body-sql.ts';
import { countStatements, readCount } from './sql/count-sql.ts';
import { readSql } from './sql/read-sql.ts';
import { Parameters } from './sql/sql-text.ts';

/** @throws ApiError, DatabaseError */
export async function readTable(
  database: Database,
  schema: SchemaCache,
  request: RestRequest,
  identity: RequestIdentity,
): Promise<Response> {
  const table = requireTable(schema, request.target.name);
  const plan = planRead(schema, table.name, request.query);
  const results = await database.batch([
    assumeRole(identity, { readOnly: true }),
    readStatement(plan, request),
    ...countStatements(plan, request.preferences.count),
  ]);
  const page = results[1]?.rows[0] as { body: string; rows: number };
  const total = readCount(results.slice(2), request.preferences.count);
  return respondToRead(request, plan.range, { ...page, total });
}

function readStatement(plan: ReadPlan, { mediaType, method }: RestRequest): Statement {
  const parameters = new Parameters();
  const body = method === 'HEAD' ? `''` : bodySql(mediaType);
  return parameters.statement(
    `select ${body} as body, count(*) as rows from (${readSql(plan, parameters)}) as "__row"`,
  );
}
