/**
 * The test box: puts its questions to the built-in assistant, each as the first of a conversation, and keeps what it
 * answered. Also where a language model answers visitors: what that says differs from one time to the next and costs.
 */
import { answerFromContent } from './built-in-assistant.ts';
import { hasPassed, judgeAnswer } from './judge-answer.ts';
import type { KeptKnowledge } from './knowledge.ts';
import { callFunction, readChecks, type TableApi } from './site-content.ts';

/** Checks of one run, the oldest first. */
const MAX_CHECKS = 200;
const MAX_ANSWER = 20_000;

export interface ChecksRun {
  checked: number;
  failed: number;
}

/**
 * Runs the checks that somebody may read, against what is published at this moment.
 * @param headers of the asker: apikey and authorization @throws Error when the table API refuses them
 */
export async function runChecks(
  api: TableApi,
  headers: Record<string, string>,
  knowledge: KeptKnowledge,
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
    // Visitors who ask meanwhile are answered between two checks.
    await new Promise((resolve) => setTimeout(resolve));
  }
  await callFunction(api, 'note_check_results', { _results: results });
  return { checked: results.length, failed: results.filter(({ passed }) => !passed).length };
}
