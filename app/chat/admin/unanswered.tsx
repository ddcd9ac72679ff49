import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleHelp, PencilLine, X } from 'lucide-react';
import { useState } from 'react';
import { PAGE_SIZE } from '../../api/paging.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { focusHeading } from '../../ui/lib/focus-heading.ts';
import { formatTime } from '../../ui/lib/format-time.ts';
import { LoadingCards } from '../../ui/list/loading-cards.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { toast } from '../../ui/toast.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { QuestionGroup } from '../group-questions.ts';
import { dismissQuestionsMutation, type UnansweredQuestion, unansweredQuery } from '../unanswered-questions.ts';
import { ConversationsHeader } from './conversations-header.tsx';

/** Maximum length of the prefilled question, in characters. */
const MAX_QUESTION_LENGTH = 300;

/** Lists unanswered questions in groups of similar questions, with links to write an answer. */
export function Unanswered() {
  const { data: groups, error, isPending, refetch } = useQuery(unansweredQuery);
  const [requestedPage, setRequestedPage] = useState(1);
  const page = Math.min(requestedPage, Math.max(1, Math.ceil((groups?.length ?? 0) / PAGE_SIZE)));
  return (
    <div className="grid grid-cols-1 gap-6">
      <ConversationsHeader
        page="Unanswered questions"
        description="Questions that no published content answers. Write an answer once, and the assistant can use it from then on."
      />
      {isPending && <LoadingCards text="Loading questions..." height="h-28" />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {groups?.length === 0 && (
        <EmptyState
          icon={CircleHelp}
          title="No unanswered questions"
          description="Questions that the assistant cannot answer appear here. Add your own questions to the test box."
          action={
            <ButtonLink to="/admin/conversations/checks" variant="secondary">
              Open the test box
            </ButtonLink>
          }
        />
      )}
      {groups && groups.length > 0 && (
        <ul className="grid grid-cols-1 gap-3">
          {groups.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map((group) => (
            <li key={group.questions[0].id}>
              <GroupCard group={group} />
            </li>
          ))}
        </ul>
      )}
      <Pagination page={page} count={groups?.length} onPageChange={setRequestedPage} />
    </div>
  );
}

function GroupCard({ group: { questions } }: { group: QuestionGroup<UnansweredQuestion> }) {
  const [newest, ...older] = questions;
  const hasWithheldClaim = questions.some(({ reason }) => reason === 'kept back');
  return (
    <article className="grid grid-cols-1 gap-3 rounded-lg border border-line bg-surface py-4 pr-4 pl-5">
      <div className="grid grid-cols-1 gap-1.5">
        <h2 className="line-clamp-3 leading-snug font-medium [overflow-wrap:anywhere]">{newest.question}</h2>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
          <Badge tone={questions.length > 1 ? 'signal' : 'neutral'}>
            {questions.length === 1 ? 'asked once' : `asked ${questions.length} times`}
          </Badge>
          {hasWithheldClaim && <Badge tone="warning">a claim was left out</Badge>}
          <TranscriptLink question={newest} />
        </div>
      </div>
      {older.length > 0 && <Examples questions={older} />}
      <Actions questions={questions} />
    </article>
  );
}

/** Maximum number of other phrasings shown for a group. */
const MAX_EXAMPLES = 10;

function Examples({ questions }: { questions: UnansweredQuestion[] }) {
  return (
    <details>
      <summary className="w-fit cursor-pointer rounded-sm text-sm text-muted hover:text-ink">Also asked as</summary>
      <ul className="mt-2 grid grid-cols-1 gap-2 border-l border-line pl-4 text-sm">
        {questions.slice(0, MAX_EXAMPLES).map((question) => (
          <li key={question.id} className="grid grid-cols-1 gap-0.5">
            <p className="line-clamp-2 [overflow-wrap:anywhere]">{question.question}</p>
            <p className="text-muted">
              <TranscriptLink question={question} />
            </p>
          </li>
        ))}
      </ul>
    </details>
  );
}

function TranscriptLink({ question }: { question: UnansweredQuestion }) {
  const { conversation_id, asked_at } = question;
  return (
    <span>
      <RelativeTime at={asked_at} />
      {' · '}
      <Link
        to="/admin/conversations/$id"
        params={{ id: conversation_id }}
        aria-label={`Transcript from ${formatTime(asked_at)}`}
        className="rounded-sm underline decoration-line-strong underline-offset-4 hover:text-ink"
      >
        Transcript
      </Link>
    </span>
  );
}

function Actions({ questions }: QuestionGroup<UnansweredQuestion>) {
  const [{ question }] = questions;
  const restore = useMutationWithToasts(dismissQuestionsMutation, {
    success: 'Question restored',
    failure: 'Could not restore the question',
  });
  const dismiss = useMutationWithToasts(
    {
      ...dismissQuestionsMutation,
      onSuccess: async (data, variables, ...rest) => {
        toast.success('Question dismissed', undefined, {
          label: 'Undo',
          onClick: () => restore.mutate({ ...variables, isDismissed: false }),
        });
        // The focused card unmounts, so move the focus to the heading.
        focusHeading();
        await dismissQuestionsMutation.onSuccess?.(data, variables, ...rest);
      },
    },
    { failure: 'Could not dismiss the question' },
  );
  return (
    <div className="flex flex-wrap gap-3">
      <ButtonLink
        to="/admin/$kind/new"
        params={{ kind: 'faq' }}
        search={{ title: question.replace(/\s+/g, ' ').trim().slice(0, MAX_QUESTION_LENGTH) }}
        size="sm"
        variant="secondary"
        aria-label={`Draft an answer to ${question.slice(0, MAX_QUESTION_LENGTH)}`}
      >
        <PencilLine aria-hidden="true" />
        Draft an answer
      </ButtonLink>
      <Button
        size="sm"
        variant="ghost"
        loading={dismiss.isPending}
        aria-label={`Dismiss ${question.slice(0, MAX_QUESTION_LENGTH)}`}
        onClick={() => dismiss.mutate({ ids: questions.map(({ id }) => id), isDismissed: true })}
        icon={X}
      >
        Dismiss
      </Button>
    </div>
  );
}
