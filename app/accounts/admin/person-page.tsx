import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { type ReactNode, type RefObject, useRef } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FORM_WIDTH_CLASS } from '../../ui/form/form-columns.tsx';
import { deviceName } from '../../ui/lib/device-name.ts';
import { formatTime } from '../../ui/lib/format-time.ts';
import { BackLink } from '../../ui/list/back-link.tsx';
import { LoadingCards } from '../../ui/list/loading-cards.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { type PersonDetail, personQuery } from '../people.ts';
import { AccessActions } from './access-actions.tsx';
import { AccountStatusBadge } from './account-status-badge.tsx';
import { DeletePerson, DownloadData } from './data-actions.tsx';
import { personName } from './person-name.ts';
import { EndSessions, ResetFactors } from './security-actions.tsx';

/** Account page in the admin area, with all actions on the account. */
export function PersonPage({ id, isSelf }: { id: string; isSelf: boolean }) {
  const { data: person, error, isPending, refetch } = useQuery(personQuery(id));
  return (
    <div className={clsx('@container grid grid-cols-1 gap-6', FORM_WIDTH_CLASS)}>
      <BackLink to="/admin/people">All people</BackLink>
      <ScreenHeader
        title={person ? personName(person) : 'Person'}
        description={person?.name}
        badge={person && <AccountStatusBadge status={person.status} isInvited={person.invited} />}
      />
      {isPending && <LoadingCards text="Loading person..." height="h-24" />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {person === null && (
        <EmptyState title="Person not found" description="The account may have been deleted. See the activity log." />
      )}
      {person && <Person person={person} isSelf={isSelf} />}
    </div>
  );
}

function Person({ person, isSelf }: { person: PersonDetail; isSelf: boolean }) {
  // The clicked button may unmount after the action, so move focus to the heading.
  const access = useRef<HTMLHeadingElement>(null);
  const sessions = useRef<HTMLHeadingElement>(null);
  const factors = useRef<HTMLHeadingElement>(null);
  return (
    <div className="grid grid-cols-1 gap-6 @4xl:grid-cols-2 @4xl:[&>:is(:first-child,:last-child)]:col-span-2">
      <PersonDetails person={person} />
      <PersonSection
        title="Access"
        heading={access}
        actions={!isSelf && <AccessActions person={person} focusAfter={access} />}
        text={isSelf ? <OwnAccount /> : STATUS_TEXTS[person.status]}
      />
      <PersonSection
        title="Sessions"
        heading={sessions}
        actions={!isSelf && person.sessions.length > 0 && <EndSessions person={person} focusAfter={sessions} />}
        text={person.sessions.length === 0 && 'No active sessions.'}
      >
        {groupByDevice(person.sessions).map(({ id, name, ip_address, last_active_at, count }) => (
          <Row key={id} title={name} text={[ip_address, `last active ${formatTimeOrNever(last_active_at)}`]}>
            {count > 1 && <Badge>{`${count} sessions`}</Badge>}
          </Row>
        ))}
      </PersonSection>
      <PersonSection
        title="Second factors"
        heading={factors}
        actions={!isSelf && <ResetFactors person={person} focusAfter={factors} />}
        text={person.factors.length === 0 && 'None set up.'}
      >
        {person.factors.map(({ id, name, type, status, created_at }) => (
          <Row key={id} title={name || (FACTOR_TYPES[type] ?? type)} text={`Since ${formatTimeOrNever(created_at)}`}>
            {status !== 'verified' && <Badge>Not verified</Badge>}
          </Row>
        ))}
      </PersonSection>
      <PersonSection title="Sign-in methods" text={person.identities.length === 0 && 'None set up.'}>
        {person.identities.map(({ id, provider, email, last_sign_in_at }) => (
          <Row
            key={id}
            title={PROVIDER_LABELS[provider] ?? provider}
            text={[email, last_sign_in_at && `last used ${formatTimeOrNever(last_sign_in_at)}`]}
          />
        ))}
      </PersonSection>
      <PersonSection
        title="Data"
        text="Download all data about this person as JSON, or delete it permanently. Both actions are logged."
        actions={
          <>
            <DownloadData person={person} />
            {!isSelf && <DeletePerson person={person} />}
          </>
        }
      />
    </div>
  );
}

/** Groups sessions by device and IP address. Returns the latest session of each group and the number of sessions. */
function groupByDevice(sessions: PersonDetail['sessions']) {
  const namedSessions = sessions.map((session) => ({ ...session, name: deviceName(session.user_agent) }));
  // The database returns the latest session first.
  const groups = Map.groupBy(namedSessions, ({ name, ip_address }) => `${name} ${ip_address}`).values();
  return [...groups].flatMap(([latest, ...others]) => (latest ? [{ ...latest, count: others.length + 1 }] : []));
}

const STATUS_TEXTS: Record<PersonDetail['status'], string> = {
  admin: 'Can see and change everything in the admin area.',
  team: 'Has access to the team dashboard.',
  client: 'Has access to the client portal.',
  pending: 'Asked to join the team. A decision is pending.',
  declined: 'Was declined, or access was revoked. This person cannot register again.',
  none: 'Has no role and cannot open any dashboard.',
};

const FACTOR_TYPES: Record<string, string> = {
  totp: 'Authenticator app',
  phone: 'Phone',
  webauthn: 'Security key',
  recovery_code: 'Recovery codes',
};

const PROVIDER_LABELS: Record<string, string> = { email: 'Email', phone: 'Phone' };

function OwnAccount() {
  return (
    <>
      This is your own account. Manage it on{' '}
      <Link to="/account" className="text-accent underline underline-offset-4">
        your account page
      </Link>
      .
    </>
  );
}

function PersonDetails({ person }: { person: PersonDetail }) {
  const details = [
    ['Registered', formatTimeOrNever(person.created_at)],
    ['Last sign-in', formatTimeOrNever(person.last_sign_in_at)],
    ['Email confirmed', formatTimeOrNever(person.email_confirmed_at)],
    ...(person.phone && person.email ? [['Phone', person.phone]] : []),
  ];
  return (
    <Card className="grid grid-cols-1 gap-4 p-5">
      <dl className="flex flex-wrap gap-x-10 gap-y-4">
        {details.map(([term, value]) => (
          <div key={term}>
            <dt className="font-mono text-label text-muted">{term}</dt>
            <dd className="mt-0.5">{value}</dd>
          </div>
        ))}
      </dl>
      <ButtonLink to="/admin/people/record" search={{ q: person.id }} variant="link" className="justify-self-start">
        Activity log of this account
      </ButtonLink>
    </Card>
  );
}

interface PersonSectionProps {
  title: string;
  heading?: RefObject<HTMLHeadingElement | null>;
  text?: ReactNode;
  actions?: ReactNode;
  /** List items. */
  children?: ReactNode[];
}

function PersonSection({ title, heading, text, actions, children = [] }: PersonSectionProps) {
  return (
    <section>
      <Card className="grid h-full grid-cols-1 content-start gap-3 p-5">
        <h2 ref={heading} tabIndex={heading && -1} className="text-lg font-semibold">
          {title}
        </h2>
        {text && <p className="text-muted">{text}</p>}
        {children.length > 0 && <ul className="-my-2.5 grid divide-y divide-line">{children}</ul>}
        {actions && <div className="flex flex-wrap gap-3 pt-1">{actions}</div>}
      </Card>
    </section>
  );
}

interface RowProps {
  title: string;
  text: string | (string | null)[];
  children?: ReactNode;
}

function Row({ title, text, children }: RowProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-2.5">
      <div className="min-w-0">
        <p className="[overflow-wrap:anywhere]">{title}</p>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">
          {typeof text === 'string' ? text : text.filter(Boolean).join(', ')}
        </p>
      </div>
      {children}
    </li>
  );
}

function formatTimeOrNever(time: string | null): string {
  return time === null ? 'Never' : formatTime(time);
}
