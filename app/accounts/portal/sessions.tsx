import { useQuery } from '@tanstack/react-query';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { deviceName } from '../../ui/lib/device-name.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { endOtherSessionsMutation, endSessionMutation, sessionsQuery } from '../authentication.ts';
import { AccountSection } from './account-section.tsx';
import { ROWS_CLASS, Row, RowsPlaceholder } from './rows.tsx';

const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

export function Sessions() {
  const query = useQuery(sessionsQuery);
  const { data: sessions } = query;
  const end = useMutationWithToasts(endSessionMutation, {
    success: 'Session ended',
    failure: 'Could not end the session',
  });
  const endOthers = useMutationWithToasts(endOtherSessionsMutation, {
    success: 'Signed out everywhere else',
    failure: 'Could not end the other sessions',
  });

  return (
    <AccountSection
      title="Active sessions"
      description="Devices where you are signed in. End any session you do not recognise."
    >
      <RowsPlaceholder subject="The sessions" query={query} />
      {sessions && (
        <ul className={ROWS_CLASS}>
          {sessions.map((session) => (
            <Row
              key={session.id}
              title={
                <>
                  {deviceName(session.user_agent)}
                  {session.is_current && <Badge tone="accent">This session</Badge>}
                </>
              }
              detail={`Last active ${date.format(new Date(session.last_active_at))}`}
            >
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
            </Row>
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
