/** Query plans instead of results, for Accept: application/vnd.pgrst.plan+json or +text. */
import type { Statement } from '../database/database.ts';
import type { PlanFormat } from './parse/parse-media-type.ts';
import type { RestCall } from './rest-call.ts';
import { explainStatement, planText } from './sql/explain-sql.ts';

/**
 * Returns the plan of a statement. If the option `analyze` is set, the statement is executed, and its changes are kept
 * unless the client requested a rollback.
 */
export async function explain(
  { request, database }: RestCall,
  plan: PlanFormat,
  statement: Statement,
  { isReadOnly }: { isReadOnly: boolean },
): Promise<Response> {
  const { mediaType, preferences, method } = request;
  const rollsBack = !isReadOnly && preferences.tx === 'rollback';
  const [result] = await database.run([explainStatement(statement, plan)], { isReadOnly, rollsBack });
  const body = method === 'HEAD' ? null : planText(result, plan);
  return new Response(body, { headers: { 'content-type': mediaType.contentType } });
}
