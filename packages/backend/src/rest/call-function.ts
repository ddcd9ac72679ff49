/** /rest/v1/rpc/{function} by POST, GET and HEAD. */
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
import { boundedSql } from './sql/answer-sql.ts';
import { bodySql } from './sql/body-sql.ts';
import { callSql, SCALAR } from './sql/call-sql.ts';
import { countSql, readSql } from './sql/read-sql.ts';
import { Parameters } from './sql/sql-text.ts';
import { SOURCE } from './sql/write-sql.ts';

/** @throws ApiError, DatabaseError */
export async function callFunction(call: RestCall): Promise<Response> {
  const { request, schema, limits } = call;
  const isPost = request.method === 'POST';
  const given = isPost
    ? parseArguments(await call.readBody(), request.query.columns, limits)
    : textArguments(request.query.arguments, limits);
  const called = findFunction(schema, { ...given, name: request.target.name });
  const maxAffected = request.preferences.handling === 'strict' ? request.preferences.maxAffected : null;
  if (maxAffected !== null && !called.returnsSet) throw maxAffectedNeedsRows();

  const plan = planRead(schema, called.returnTable ?? called.name, request.query, { limits, isCall: true });
  const statement = callStatement(called, { given, plan, request, maxBytes: limits.answerBytes });
  const readOnly = !isPost || !called.isVolatile;
  if (request.mediaType.plan) return explain(call, request.mediaType.plan, statement, { readOnly });
  const results = await call.database.run<[CallResult]>([statement], {
    readOnly,
    rollsBack: !readOnly && request.preferences.tx === 'rollback',
    check:
      request.mediaType.kind === 'object' || maxAffected !== null
        ? (results) => check(request, maxAffected, onlyRow(results))
        : null,
  });
  return respondToCall(request, called, plan.range, onlyRow(results));
}

/** Rejects a result that the request does not accept, which rolls the call back. */
function check({ mediaType }: RestRequest, maxAffected: number | null, { rows }: CallResult): void {
  if (mediaType.kind === 'object' && rows !== 1) throw notASingleRow(rows);
  if (maxAffected !== null && rows > maxAffected) throw tooManyAffected(rows);
}

interface CallResult {
  body: string;
  rows: number;
  total: number | null;
}

function callStatement(
  called: RestFunction,
  call: {
    given: CallArguments;
    plan: ReadPlan;
    request: RestRequest;
    maxBytes: number;
  },
): Statement {
  const { mediaType, preferences, method } = call.request;
  const parameters = new Parameters();
  const source = `with ${SOURCE} as materialized (${callSql(called, call.given, parameters)})`;
  const isBodyless = method === 'HEAD' || called.returns === 'void';
  const isCounted = preferences.count !== null;
  const shape = called.returnsSet || mediaType.kind === 'csv' ? mediaType : { ...mediaType, kind: 'object' as const };
  if (called.returns !== 'row') {
    const body = isBodyless ? `''` : bodySql(shape, `"__row".${SCALAR}`);
    const total = isCounted ? 'count(*)' : 'null';
    const answer = `select ${body} as body, count(*) as rows, ${total} as total from ${SOURCE} as "__row"`;
    return parameters.statement(`${source} ${boundedSql(answer, ['rows', 'total'], call.maxBytes)}`);
  }
  const rows = readSql(call.plan, parameters, { records: SOURCE });
  const total = isCounted
    ? `(select count(*) from (${countSql(call.plan, parameters, { records: SOURCE })}) as "counted")`
    : 'null';
  const body = isBodyless ? `''` : bodySql(shape);
  const answer = `select ${body} as body, count(*) as rows, ${total} as total from (${rows}) as "__row"`;
  return parameters.statement(`${source} ${boundedSql(answer, ['rows', 'total'], call.maxBytes)}`);
}
