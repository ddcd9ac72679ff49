import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { endOtherSessions, endSession, sessionsQuery } from '../../data/accounts.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { tellFailure } from '../../ui/tell-failure.ts';
import { toast } from '../../ui/toast.ts';
import { AccountSection } from './account-section.tsx';
import { deviceName } from './device-name.ts';

const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

export function Sessions() {
  const queryClient = useQueryClient();
  const { data: sessions, error, refetch } = useQuery(sessionsQuery);
  const onSettled = () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  const onError = (reason: Error) => tellFailure('The session was not ended', reason);
  const end = useMutation({
    mutationFn: endSession,
    onSuccess: () => toast.success('Session ended'),
    onSettled,
    onError,
  });
  const endOthers = useMutation({
    mutationFn: endOtherSessions,
    onSuccess: () => toast.success('Signed out everywhere else'),
    onSettled,
    onError,
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
