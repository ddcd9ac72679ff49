import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { Fragment, type ReactNode, type RefObject, useRef } from 'react';
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
    <Card className="grid grid-cols-1 divide-y divide-line px-5">
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
    </Card>
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
    <div className={ROW_CLASS}>
      <dl className="grid grid-cols-[8rem_minmax(0,1fr)] gap-y-1.5 @2xl:col-span-2 @2xl:grid-cols-subgrid">
        {details.map(([term, value]) => (
          <Fragment key={term}>
            <dt className="text-muted">{term}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
      <ButtonLink
        to="/admin/people/record"
        search={{ q: person.id }}
        variant="link"
        className="self-start justify-self-start @2xl:col-start-2 @4xl:col-start-3"
      >
        Activity log of this account
      </ButtonLink>
    </div>
  );
}

/** Row with a label, its content and, at the right or below, its actions. */
const ROW_CLASS =
  'grid grid-cols-1 gap-x-6 gap-y-2 py-4 @2xl:grid-cols-[9rem_minmax(0,1fr)] @2xl:[&>:nth-child(3)]:col-start-2 @4xl:grid-cols-[9rem_minmax(0,1fr)_auto] @4xl:[&>:nth-child(3)]:col-start-3';

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
    <section className={ROW_CLASS}>
      <h2 ref={heading} tabIndex={heading && -1} className="w-fit font-semibold">
        {title}
      </h2>
      <div className="measure min-w-0">
        {text && <p className="text-muted">{text}</p>}
        {children.length > 0 && <ul className="grid gap-2.5">{children}</ul>}
      </div>
      {actions && <div className="flex flex-wrap gap-2 self-start @4xl:justify-end">{actions}</div>}
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
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
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
