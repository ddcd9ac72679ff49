/** Checks for the assistant. A check is a question with phrases that its answer must or must not contain. */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { judgeAnswer, type Verdict } from '../../supabase/functions/ai-chat/judge-answer.ts';
import { changeAsSignedIn, readAsSignedIn, reloadOnSuccess } from '../api/as-signed-in.ts';
import type { Row } from '../api/tables.ts';
import { sessionApi } from '../api/visitor-api.ts';

export type AssistantCheck = Row<'assistant_checks'>;

/** Maximum number of checks per run. */
export const MAX_CHECKS = 200;

/** Prefix of the query keys for checks. */
export const CHECKS_KEY = ['assistant_checks'];
const KEY = CHECKS_KEY;

/** Lists all checks. Failed checks are first, then by creation time. */
export const checksQuery = queryOptions({
  queryKey: [...KEY, 'list'],
  queryFn: readAsSignedIn((api) =>
    api
      .from('assistant_checks')
      .select()
      .order('passed', { nullsFirst: false })
      .order('created_at')
      .order('id')
      .limit(MAX_CHECKS),
  ),
  staleTime: 0,
});

/** Counts the checks that failed in their last run. */
export const failedChecksQuery = queryOptions({
  queryKey: [...KEY, 'failed'],
  queryFn: async ({ signal }): Promise<number> => {
    const api = await sessionApi();
    const { count } = await api
      .from('assistant_checks')
      .select('*', { count: 'exact', head: true })
      .eq('passed', false)
      .abortSignal(signal)
      .throwOnError();
    return count ?? 0;
  },
  staleTime: 0,
});

/** Lists the missing and the forbidden phrases in the last answer. Both are empty before the first run. */
export function findFaults(check: AssistantCheck): Verdict {
  return check.ran_at === null ? { missing: [], forbidden: [] } : judgeAnswer(check.answer, check);
}

/** One phrase per line, without empty lines. Also accepts a list, which a merge of two versions produces. */
const phrases = z
  .preprocess((value: string | string[]) => (Array.isArray(value) ? value.join('\n') : value), z.string())
  .transform((text) => text.split('\n').flatMap((line) => line.trim() || []))
  .refine((lines) => lines.length <= 20, 'At most 20 lines')
  .refine((lines) => lines.every((line) => line.length <= 200), 'A line must be at most 200 characters');

export const checkSchema = z
  .object({
    question: z.string().trim().min(1, 'Question is required').max(1000, 'Question must be at most 1000 characters'),
    must_name: phrases,
    must_not_name: phrases,
  })
  .refine((check) => check.must_name.length + check.must_not_name.length > 0, {
    path: ['must_name'],
    error: 'Enter at least one phrase that the answer must or must not mention',
    when: ({ value }) => typeof value === 'object' && value !== null,
  });

/** Deletes a check. Succeeds if it is already deleted. */
export const deleteCheckMutation = mutationOptions({
  mutationKey: [...KEY, 'delete'],
  mutationFn: changeAsSignedIn((api, id: string) => api.from('assistant_checks').delete().eq('id', id)),
  ...reloadOnSuccess(KEY),
});

const runSchema = z.object({ checked: z.number(), failed: z.number() });

export const runChecksMutation = mutationOptions({
  mutationKey: [...KEY, 'run'],
  mutationFn: runChecks,
  ...reloadOnSuccess(KEY),
});

export async function runChecks(): Promise<z.output<typeof runSchema>> {
  const api = await sessionApi();
  const { data, error } = await api.functions.invoke<unknown>('ai-chat?checks=run', { method: 'POST' });
  if (error) throw error;
  return runSchema.parse(data);
}
