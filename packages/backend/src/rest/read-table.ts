/** GET and HEAD of a table or view. */
import type { AnyRows, Statement } from '../database/database.ts';
import { onlyRow } from './caller-database.ts';
import { explain } from './explain.ts';
import type { ReadPlan } from './plan/plan-types.ts';
import { planRead } from './plan/read-plan.ts';
import { requireTable } from './plan/require-table.ts';
import { respondToRead } from './respond/read-response.ts';
import type { RestCall } from './rest-call.ts';
import { bodySql } from './sql/body-sql.ts';
import { boundedSql } from './sql/bounded-sql.ts';
import { countStatements, readCount } from './sql/count-sql.ts';
import { readSql } from './sql/read-sql.ts';
import { Parameters } from './sql/sql-text.ts';

/** @throws ApiError, DatabaseError */
export async function readTable(call: RestCall): Promise<Response> {
  const { request, schema, limits } = call;
  const table = requireTable(schema, request.target.name);
  const plan = planRead(schema, table.name, request.query, { limits });
  const statement = readStatement(plan, call);
  if (request.mediaType.plan) return explain(call, request.mediaType.plan, statement, { isReadOnly: true });
  const counts = countStatements(plan, request.preferences.count);
  const [page, ...countResults] = await call.database.run<[{ body: string; rows: number }, ...AnyRows]>(
    [statement, ...counts],
    { isReadOnly: true },
  );
  const total = readCount(countResults, request.preferences.count);
  return respondToRead(request, plan.range, { ...onlyRow([page]), total });
}

function readStatement(plan: ReadPlan, { request, limits }: RestCall): Statement {
  const parameters = new Parameters();
  const body = request.method === 'HEAD' ? `''` : bodySql(request.mediaType);
  const query = `select ${body} as body, count(*) as rows from (${readSql(plan, parameters)}) as "__row"`;
  return parameters.statement(boundedSql(query, ['rows'], limits.responseBytes));
}
