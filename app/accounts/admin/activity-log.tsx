import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { BackLink } from '../../ui/list/back-link.tsx';
import { ItemCount } from '../../ui/list/item-count.tsx';
import { LoadingCards } from '../../ui/list/loading-cards.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { type ActivityLogEntry, activityLogQuery } from '../people.ts';

interface ActivityLogProps {
  /** Account ID to filter by. */
  person: string | undefined;
  page: number;
}

/** Read-only log of actions on accounts. */
export function ActivityLog({ person, page }: ActivityLogProps) {
  const list = useQuery(activityLogQuery({ page, person }));
  const { items = [], count } = list.data ?? {};
  return (
    <div className="grid grid-cols-1 gap-6">
      <BackLink to="/admin/people">All people</BackLink>
      <ScreenHeader
        title="Activity log"
        description={
          person
            ? 'Actions on one account.'
            : 'Actions on accounts, with author and time. Deleted people are identified by the start of their ID.'
        }
      />
      {person && (
        <div className="flex flex-wrap items-center gap-3">
          <ButtonLink to="/admin/people/record" variant="secondary" size="sm">
            Show all actions
          </ButtonLink>
          <ItemCount count={count} singular="entry" plural="entries" />
        </div>
      )}
      {list.isPending && <LoadingCards text="Loading log..." height="h-16" />}
      {list.error && <LoadError error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && items.length === 0 && (
        <EmptyState
          icon={ScrollText}
          title="No actions yet"
          description="Admins’ actions on accounts appear here, starting with the first invitation."
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
                  <RelativeTime at={entry.at} />
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

/** Verb of each action, with optional text after the account name. */
const ACTIONS: Record<string, readonly [verb: string, rest?: string]> = {
  invited: ['invited'],
  approved: ['approved', 'as a team member'],
  declined: ['rejected', 'as a team member'],
  restored: ['undid the decision about'],
  made_client: ['made', 'a client'],
  made_admin: ['made', 'an admin'],
  revoked: ['revoked the access of'],
  ended_sessions: ['ended all sessions of'],
  reset_factors: ['reset the second factors of'],
  downloaded_data: ['downloaded the data of'],
  deleted: ['deleted'],
};

function Sentence({ entry: { action, role, actor, person, personId } }: { entry: ActivityLogEntry }) {
  if (action === 'deleted_own_account') return <>{capitalize(person)} deleted their own account</>;
  const [verb, rest] = ACTIONS[action] ?? [action];
  const asRole = action === 'invited' && role ? `as a ${role === 'team' ? 'team member' : role}` : rest;
  return (
    <>
      {capitalize(actor)} {verb}{' '}
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

/** Capitalises 'the system' and 'account 3f2a' at the start of a sentence, but not email addresses. */
function capitalize(name: string): string {
  return name.includes('@') ? name : name.charAt(0).toUpperCase() + name.slice(1);
}
