import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatTime } from '../../ui/lib/format-time.ts';
import { BackLink } from '../../ui/list/back-link.tsx';
import { ItemCount } from '../../ui/list/item-count.tsx';
import { LoadingCards } from '../../ui/list/loading-cards.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { type RecordEntry, recordQuery } from '../people.ts';

interface PeopleRecordProps {
  /** The id of an account, to see only what was done to it. */
  person: string | undefined;
  page: number;
}

/** Lists the actions on accounts, by whom and when. Nobody can change it. */
export function PeopleRecord({ person, page }: PeopleRecordProps) {
  const list = useQuery(recordQuery({ page, person }));
  const { items = [], count } = list.data ?? {};
  return (
    <div className="grid grid-cols-1 gap-6">
      <BackLink to="/admin/people">All people</BackLink>
      <ScreenHeader
        title="Record"
        page="Record of people"
        description={
          person
            ? 'What was done to one account.'
            : 'What was done to accounts, by whom and when. Deleted people are named by the start of their id only.'
        }
      />
      {person && (
        <div className="flex flex-wrap items-center gap-3">
          <ButtonLink to="/admin/people/record" variant="secondary" size="sm">
            Show everything
          </ButtonLink>
          <ItemCount count={count} one="entry" many="entries" />
        </div>
      )}
      {list.isPending && <LoadingCards text="Loading record..." height="h-16" />}
      {list.error && <LoadError error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && items.length === 0 && (
        <EmptyState
          icon={ScrollText}
          title="Nothing yet"
          description="What admins do to accounts appears here, from the first invitation on."
          action={
            <ButtonLink to="/admin/people" variant="secondary">
              See everybody
            </ButtonLink>
          }
        />
      )}
      {items.length > 0 && (
        <Card>
          <ol className="divide-y divide-line">
            {items.map((entry) => (
              <li key={entry.id} className="grid gap-0.5 px-5 py-3.5">
                <p className="[overflow-wrap:anywhere]">
                  <Sentence entry={entry} />
                </p>
                <p className="text-sm text-muted">
                  <time dateTime={entry.at}>{formatTime(entry.at)}</time>
                </p>
              </li>
            ))}
          </ol>
        </Card>
      )}
      <Pagination page={page} count={count} />
    </div>
  );
}

/** Words of each action, between who did it and to whom; the last words follow the latter. */
const ACTIONS: Record<string, readonly [verb: string, rest?: string]> = {
  invited: ['invited'],
  approved: ['approved', 'as a team member'],
  declined: ['rejected', 'as a team member'],
  restored: ['took the decision about', 'back'],
  made_client: ['made', 'a client'],
  made_admin: ['made', 'an admin'],
  revoked: ['revoked the access of'],
  ended_sessions: ['ended all sessions of'],
  reset_factors: ['reset the factors of'],
  downloaded_data: ['downloaded the data of'],
  deleted: ['deleted'],
};

function Sentence({ entry: { action, role, actor, person, personId } }: { entry: RecordEntry }) {
  if (action === 'deleted_own_account') return <>{capitalized(person)} deleted their own account</>;
  const [verb, rest] = ACTIONS[action] ?? [action];
  const asRole = action === 'invited' && role ? `as a ${role === 'team' ? 'team member' : role}` : rest;
  return (
    <>
      {capitalized(actor)} {verb}{' '}
      {personId ? (
        <Link
          to="/admin/people/$id"
          params={{ id: personId }}
          className="rounded-sm font-medium underline decoration-line-strong underline-offset-4 hover:decoration-current"
        >
          {person}
        </Link>
      ) : (
        <span className="font-medium">{person}</span>
      )}
      <span>{asRole && ` ${asRole}`}</span>
    </>
  );
}

/** 'the system' and 'account 3f2a' begin a sentence; an address is written as it is. */
function capitalized(name: string): string {
  return name.includes('@') ? name : name.charAt(0).toUpperCase() + name.slice(1);
}
