import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { MessageCircleQuestion } from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { CardList, ROW_LINK_CLASS } from '../../ui/list/card-list.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { type AskedQuestion, askedCountsQuery, askedQuestionsQuery } from '../asked-questions.ts';
import { AskTheAssistant } from './ask-the-assistant.tsx';
import { ConversationsHeader } from './conversations-header.tsx';

/** Lists visitors' questions, newest first, with the pages that were used to answer them. */
export function QuestionsPage({ search }: { search: string }) {
  const questions = useInfiniteQuery(askedQuestionsQuery(search));
  const navigate = useNavigate();
  const isEmpty = search === '' && questions.data?.length === 0;
  return (
    <div className="grid grid-cols-1 gap-6">
      <ConversationsHeader
        page="Questions"
        description="All questions from visitors, with the pages that the assistant used to answer them."
      />
      {!isEmpty && (
        <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
          <SearchBox
            label="Search questions"
            value={search}
            onSearch={(q) => void navigate({ to: '/admin/conversations/asked', search: q ? { q } : {}, replace: true })}
          />
          <Counts />
        </div>
      )}
      <CardList query={questions} loading="Loading questions..." empty={<NoQuestions isSearch={search !== ''} />}>
        {(question) => <QuestionRow question={question} />}
      </CardList>
      {questions.hasNextPage && (
        <Button
          variant="secondary"
          className="justify-self-center"
          loading={questions.isFetchingNextPage}
          onClick={() => void questions.fetchNextPage()}
        >
          Older questions
        </Button>
      )}
    </div>
  );
}

function Counts() {
  const { data } = useQuery(askedCountsQuery);
  if (!data) return null;
  return (
    <p className="text-sm text-muted">
      Last 30 days: {data.asked} asked, {data.answered} answered from a page,{' '}
      <Link
        to="/admin/conversations/unanswered"
        className="rounded-sm underline decoration-line-strong underline-offset-4 hover:text-ink"
      >
        {data.unanswered} without an answer
      </Link>
    </p>
  );
}

function QuestionRow({
  question: { conversationId, question, askedAt, reason, sources },
}: {
  question: AskedQuestion;
}) {
  return (
    <article className="grid grid-cols-1 gap-1">
      <h2 className="font-medium [overflow-wrap:anywhere]">
        <Link
          to="/admin/conversations/$id"
          params={{ id: conversationId }}
          className={`line-clamp-2 ${ROW_LINK_CLASS}`}
        >
          {question}
        </Link>
      </h2>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
        <RelativeTime at={askedAt} />
        {reason === null ? <Sources sources={sources} /> : <Reason reason={reason} />}
      </div>
    </article>
  );
}

function Reason({ reason }: { reason: string }) {
  return <Badge tone="warning">{reason === 'kept back' ? 'a claim was left out' : 'no answer'}</Badge>;
}

function Sources({ sources }: Pick<AskedQuestion, 'sources'>) {
  if (sources.length === 0) return <span>Answered without a page</span>;
  return (
    <span className="[overflow-wrap:anywhere]">
      Answered from{' '}
      {sources.map(({ title, url }, index) => (
        <span key={url}>
          <span>{index > 0 && ', '}</span>
          <a
            href={url}
            className="relative z-1 text-accent underline decoration-line-strong underline-offset-4 hover:decoration-current"
          >
            {title}
          </a>
        </span>
      ))}
    </span>
  );
}

function NoQuestions({ isSearch }: { isSearch: boolean }) {
  if (!isSearch) {
    return (
      <EmptyState
        icon={MessageCircleQuestion}
        title="No questions yet"
        description="Questions that visitors ask the assistant appear here. Ask the assistant a question to start."
        action={<AskTheAssistant />}
      />
    );
  }
  return (
    <EmptyState
      title="No questions found"
      description="No questions match this search."
      action={
        <ButtonLink to="/admin/conversations/asked" variant="secondary">
          Show all questions
        </ButtonLink>
      }
    />
  );
}
