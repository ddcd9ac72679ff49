import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { decideMutation, type PendingRegistration, pendingRegistrationsQuery } from '../../data/registrations.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { messageOf, tellFailure } from '../../ui/tell-failure.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';

const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

export function PendingRegistrations() {
  const { data: people, error, refetch, isFetching } = useQuery(pendingRegistrationsQuery);

  useEffect(() => {
    if (error) tellFailure('Failed to load pending team members', error);
  }, [error]);

  return (
    <section aria-labelledby="pending-heading" className="grid gap-4">
      <h2 id="pending-heading" className="flex items-center gap-3 text-lg font-semibold">
        Pending team members
        {people && people.length > 0 && <Badge tone="signal">{people.length}</Badge>}
      </h2>
      {error && !people && (
        <EmptyState
          title="Failed to load pending team members"
          description={messageOf(error)}
          action={
            <Button variant="secondary" loading={isFetching} onClick={() => void refetch()}>
              Try again
            </Button>
          }
        />
      )}
      {!people && !error && (
        <div aria-busy="true">
          <p className="sr-only">Loading...</p>
          <Skeleton className="h-20" />
        </div>
      )}
      {people?.length === 0 && (
        <EmptyState title="Nobody is waiting" description="New team registrations appear here for your decision." />
      )}
      {people && people.length > 0 && (
        <ul className="grid gap-3">
          {people.map((person) => (
            <li key={person.userId}>
              <Registration person={person} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Registration({ person }: { person: PendingRegistration }) {
  const approve = useMutationWithToasts(decideMutation(true), {
    success: 'Team member approved successfully',
    failure: 'Failed to approve team member',
  });
  const reject = useMutationWithToasts(decideMutation(false), {
    success: 'Team member rejected successfully',
    failure: 'Failed to reject team member',
  });
  const isDeciding = approve.isPending || reject.isPending;
  return (
    <Card className="flex flex-wrap items-center justify-between gap-4 p-5">
      <div className="min-w-0">
        <p className="font-medium [overflow-wrap:anywhere]">{person.email}</p>
        <p className="text-sm text-muted">
          Registered <time dateTime={person.createdAt}>{date.format(new Date(person.createdAt))}</time>
        </p>
      </div>
      <div className="flex gap-3">
        <Button
          size="sm"
          loading={approve.isPending}
          disabled={isDeciding}
          aria-label={`Approve ${person.email}`}
          onClick={() => approve.mutate(person.userId)}
        >
          Approve
        </Button>
        <Button
          size="sm"
          variant="secondary"
          loading={reject.isPending}
          disabled={isDeciding}
          aria-label={`Reject ${person.email}`}
          onClick={() => reject.mutate(person.userId)}
        >
          Reject
        </Button>
      </div>
    </Card>
  );
}
