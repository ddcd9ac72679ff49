/** POST, GET and HEAD of /rest/v1/rpc/{function}. */
import type { Statement } from '../database/database.ts';
import { onlyRow } from './caller-database.ts';
import { explain } from './explain.ts';
import { type CallArguments, parseArguments, textArguments } from './parse/parse-payload.ts';
import type { RestRequest } from './parse/parse-request.ts';
import { findFunction } from './plan/find-function.ts';
import type { ReadPlan } from './plan/plan-types.ts';
import { planRead } from './plan/read-plan.ts';
import { respondToCall } from './respond/read-response.ts';
import type { RestCall } from './rest-call.ts';
import { maxAffectedNeedsRows, notASingleRow, tooManyAffected } from './rest-errors.ts';
import type { RestFunction } from './schema/schema-cache.ts';
import { bodySql } from './sql/body-sql.ts';
import { boundedSql } from './sql/bounded-sql.ts';
import { callSql, SCALAR } from './sql/call-sql.ts';
import { countSql, readSql } from './sql/read-sql.ts';
import { Parameters } from './sql/sql-text.ts';
import { SOURCE } from './sql/write-sql.ts';

/** @throws ApiError, DatabaseError */
export async function callFunction(call: RestCall): Promise<Response> {
  const { request, schema, limits } = call;
  const isPost = request.method === 'POST';
  const args = isPost
    ? parseArguments(await call.readBody(), request.query.columns, limits)
    : textArguments(request.query.arguments, limits);
  const fn = findFunction(schema, { ...args, name: request.target.name });
  const maxAffected = request.preferences.handling === 'strict' ? request.preferences.maxAffected : null;
  if (maxAffected !== null && !fn.returnsSet) throw maxAffectedNeedsRows();

  const plan = planRead(schema, fn.returnTable ?? fn.name, request.query, { limits, isCall: true });
  const statement = callStatement(fn, { args, plan, request, maxBytes: limits.responseBytes });
  const isReadOnly = !isPost || !fn.isVolatile;
  if (request.mediaType.plan) return explain(call, request.mediaType.plan, statement, { isReadOnly });
  const results = await call.database.run<[CallResult]>([statement], {
    isReadOnly,
    rollsBack: !isReadOnly && request.preferences.tx === 'rollback',
    check:
      request.mediaType.kind === 'object' || maxAffected !== null
        ? (results) => checkRowCount(request, maxAffected, onlyRow(results))
        : null,
  });
  return respondToCall(request, fn, plan.range, onlyRow(results));
}

/** Throws if the request does not accept this number of rows, so that the call is rolled back. */
function checkRowCount({ mediaType }: RestRequest, maxAffected: number | null, { rows }: CallResult): void {
  if (mediaType.kind === 'object' && rows !== 1) throw notASingleRow(rows);
  if (maxAffected !== null && rows > maxAffected) throw tooManyAffected(rows);
}

interface CallResult {
  body: string;
  rows: number;
  total: number | null;
}

function callStatement(
  fn: RestFunction,
  call: {
    args: CallArguments;
    plan: ReadPlan;
    request: RestRequest;
    maxBytes: number;
  },
): Statement {
  const { mediaType, preferences, method } = call.request;
  const parameters = new Parameters();
  const source = `with ${SOURCE} as materialized (${callSql(fn, call.args, parameters)})`;
  const isBodyless = method === 'HEAD' || fn.returns === 'void';
  const isCounted = preferences.count !== null;
  const shape = fn.returnsSet || mediaType.kind === 'csv' ? mediaType : { ...mediaType, kind: 'object' as const };
  if (fn.returns !== 'row') {
    const body = isBodyless ? `''` : bodySql(shape, `"__row".${SCALAR}`);
    const total = isCounted ? 'count(*)' : 'null';
    const query = `select ${body} as body, count(*) as rows, ${total} as total from ${SOURCE} as "__row"`;
    return parameters.statement(`${source} ${boundedSql(query, ['rows', 'total'], call.maxBytes)}`);
  }
  const rows = readSql(call.plan, parameters, { records: SOURCE });
  const total = isCounted
    ? `(select count(*) from (${countSql(call.plan, parameters, { records: SOURCE })}) as "counted")`
    : 'null';
  const body = isBodyless ? `''` : bodySql(shape);
  const query = `select ${body} as body, count(*) as rows, ${total} as total from (${rows}) as "__row"`;
  return parameters.statement(`${source} ${boundedSql(query, ['rows', 'total'], call.maxBytes)}`);
}
