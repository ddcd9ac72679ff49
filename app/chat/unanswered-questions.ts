/** Questions that the assistant could not answer. */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { changeAsSignedIn, reloadOnSuccess } from '../api/as-signed-in.ts';
import { sessionApi } from '../api/visitor-api.ts';
import { excludeAnswered, groupQuestions, type QuestionGroup } from './group-questions.ts';

export interface UnansweredQuestion {
  id: string;
  conversation_id: string;
  question: string;
  /** Reason for the missing answer. No published content matched, or the guard withheld the model's claim. */
  reason: string;
  asked_at: string;
}

/** Reads the newest 1,000 open questions in groups of similar questions, largest group first. */
export const unansweredQuery = queryOptions({
  queryKey: ['unanswered_questions'],
  queryFn: async ({ signal }): Promise<QuestionGroup<UnansweredQuestion>[]> => {
    const api = await sessionApi();
    const [{ data }, { data: answers }] = await Promise.all([
      api.rpc('list_unanswered_questions').abortSignal(signal).throwOnError(),
      api
        .from('faq')
        .select('question, updated_at')
        .eq('status', 'published')
        .order('updated_at', { ascending: false })
        .limit(1000)
        .abortSignal(signal)
        .throwOnError(),
    ]);
    return excludeAnswered(groupQuestions(data), answers);
  },
  // The list is never cached, because visitors can ask at any time.
  staleTime: 0,
});

/** Counts the open questions. */
export const openQuestionsQuery = queryOptions({
  ...unansweredQuery,
  select: (groups) => groups.reduce((sum, { questions }) => sum + questions.length, 0),
});

/** Dismisses or restores questions. */
export const dismissQuestionsMutation = mutationOptions({
  mutationKey: ['unanswered_questions', 'dismiss'],
  mutationFn: changeAsSignedIn((api, { ids, isDismissed }: { ids: string[]; isDismissed: boolean }) =>
    api.rpc('dismiss_unanswered_questions', { _ids: ids, _dismissed: isDismissed }),
  ),
  ...reloadOnSuccess(unansweredQuery.queryKey),
});
