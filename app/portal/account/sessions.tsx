import { useQuery } from '@tanstack/react-query';
import { endOtherSessionsMutation, endSessionMutation, sessionsQuery } from '../../data/accounts/authentication.ts';
import { deviceName } from '../../lib/device-name.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { AccountSection } from './account-section.tsx';

const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

export function Sessions() {
  const { data: sessions, error, refetch } = useQuery(sessionsQuery);
  const end = useMutationWithToasts(endSessionMutation, {
    success: 'Session ended',
    failure: 'The session was not ended',
  });
  const endOthers = useMutationWithToasts(endOtherSessionsMutation, {
    success: 'Signed out everywhere else',
    failure: 'The other sessions were not ended',
  });

  return (
    <AccountSection title="Active sessions" description="Where you are signed in. End what you do not recognise.">
      {error && (
        <p role="alert" className="flex flex-wrap items-center gap-3 text-danger">
          The sessions could not be loaded.
          <Button variant="secondary" size="sm" onClick={() => void refetch()}>
            Try again
          </Button>
        </p>
      )}
      {!sessions && !error && (
        <div aria-busy="true">
          <p className="sr-only">Loading...</p>
          <Skeleton className="h-16" />
        </div>
      )}
      {sessions && (
        <ul className="grid divide-y divide-line">
          {sessions.map((session) => (
            <li key={session.id} className="flex flex-wrap items-center justify-between gap-3 py-3">
              <div className="min-w-0">
                <p className="flex flex-wrap items-center gap-2 font-medium">
                  {deviceName(session.user_agent)}
                  {session.is_current && <Badge tone="accent">This session</Badge>}
                </p>
                <p className="text-sm text-muted">Last active {date.format(new Date(session.last_active_at))}</p>
              </div>
              {!session.is_current && (
                <Button
                  variant="secondary"
                  size="sm"
                  loading={end.isPending && end.variables === session.id}
                  onClick={() => end.mutate(session.id)}
                >
                  End session
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {sessions && sessions.length > 1 && (
        <Button
          variant="secondary"
          className="justify-self-start"
          loading={endOthers.isPending}
          onClick={() => endOthers.mutate()}
        >
          Sign out everywhere else
        </Button>
      )}
    </AccountSection>
  );
}
