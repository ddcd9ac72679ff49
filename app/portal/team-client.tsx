import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { MEMBERSHIP_POLL_MS } from '../accounts/use-client-membership.ts';
import { clientPeopleQuery, MEMBER_KINDS } from '../clients/client-people.ts';
import { clientQuery } from '../clients/clients.ts';
import { TeamSections } from '../clients/team-sections.tsx';
import { ViewAsClient } from '../clients/view-as-client.tsx';
import { buttonClass } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { formatTime } from '../ui/lib/format-time.ts';
import { LoadError } from '../ui/load-error.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

/** Client page for a team member. */
export default function TeamClient({ id }: { id: string }) {
  const {
    data: client,
    error,
    isPending,
    refetch,
  } = useQuery({ ...clientQuery(id), refetchInterval: MEMBERSHIP_POLL_MS });
  return (
    <div className="page-grid grid min-h-[70svh] content-start pt-4 pb-12 lg:pt-8 lg:pb-20">
      <div className="grid grid-cols-1 gap-4 lg:gap-6">
        <Link to="/team-dashboard" className={buttonClass({ variant: 'link' }, 'justify-self-start')}>
          <ArrowLeft aria-hidden="true" />
          Team dashboard
        </Link>
        {isPending && <Skeleton className="h-40 rounded-lg" />}
        {error && <LoadError error={error} onRetry={() => void refetch()} />}
        {client === null && (
          <EmptyState title="Client not found" description="It was deleted, or you are no longer assigned to it." />
        )}
        {client && (
          <>
            <header className="flex flex-wrap items-center justify-between gap-3">
              <div className="min-w-0">
                <h1 className="text-display-3 [overflow-wrap:anywhere]">{client.name}</h1>
                {client.domain !== '' && <p className="text-muted [overflow-wrap:anywhere]">{client.domain}</p>}
              </div>
              <ViewAsClient client={client} />
            </header>
            <TeamSections client={client} people={<People clientId={client.id} />} />
          </>
        )}
      </div>
    </div>
  );
}

/** Lists the client's members, with the time when each member last opened the portal. */
function People({ clientId }: { clientId: string }) {
  const { data: people, error, isPending, refetch } = useQuery(clientPeopleQuery(clientId));
  if (isPending) return <Skeleton className="h-24 rounded-lg" />;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  const members = people.filter(({ is_team }) => !is_team);
  return (
    <section aria-label="People">
      <Card className="grid grid-cols-1 gap-3 p-5">
        <h2 className="text-lg font-semibold">People</h2>
        {members.length === 0 && (
          <p className="text-muted">No one at this client has access yet. An admin can invite them.</p>
        )}
        <ul className="grid grid-cols-1 divide-y divide-line empty:hidden">
          {members.map(({ id, name, email, kind, is_waiting, read_at }) => (
            <li key={id} className="flex flex-wrap justify-between gap-x-4 py-2.5">
              <span className="min-w-0 [overflow-wrap:anywhere]">{name || email}</span>
              <span className="text-muted">
                {[kind && MEMBER_KINDS[kind], formatLastOpened(is_waiting, read_at)].filter(Boolean).join(' · ')}
              </span>
            </li>
          ))}
        </ul>
      </Card>
    </section>
  );
}

function formatLastOpened(isWaiting: boolean, readAt: string | null): string {
  if (isWaiting) return 'Invited';
  return readAt === null ? 'Never opened' : `Last opened ${formatTime(readAt)}`;
}
