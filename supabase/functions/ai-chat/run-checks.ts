/**
 * Runs the saved test questions. Each is sent to the built-in assistant as the first message of a conversation, and the
 * answer is stored. The built-in assistant is used even if a language model answers visitors, because a model's replies
 * vary and cost money.
 */
import { answerFromContent } from './built-in-assistant.ts';
import { hasPassed, judgeAnswer } from './judge-answer.ts';
import type { KnowledgeCache } from './knowledge.ts';
import { callFunction, readChecks, type TableApi } from './site-content.ts';

/** Maximum questions per run, oldest first. */
const MAX_CHECKS = 200;
const MAX_ANSWER = 20_000;

export interface ChecksRun {
  checked: number;
  failed: number;
}

/**
 * Runs the questions that the caller may read against the published content.
 * @param headers of the caller: apikey and authorization
 * @throws Error if the table API rejects the caller
 */
export async function runChecks(
  api: TableApi,
  headers: Record<string, string>,
  knowledge: KnowledgeCache,
): Promise<ChecksRun> {
  const checks = await readChecks(api, headers, MAX_CHECKS);
  if (checks.length === 0) return { checked: 0, failed: 0 };
  knowledge.forget();
  const { content, index } = await knowledge.read();
  const results = [];
  for (const { id, updated_at, question, ...expected } of checks) {
    const answer = answerFromContent(content, index, [{ role: 'user', content: question }]);
    const passed = hasPassed(judgeAnswer(answer, expected));
    results.push({ id, updated_at, passed, answer: answer.slice(0, MAX_ANSWER) });
    // Yield to visitors' requests between two questions.
    await new Promise((resolve) => setTimeout(resolve));
  }
  await callFunction(api, 'record_check_results', { _results: results });
  return { checked: results.length, failed: results.filter(({ passed }) => !passed).length };
}
