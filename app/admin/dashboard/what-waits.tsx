import { useQueries } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import {
  CalendarDays,
  ChevronRight,
  CircleHelp,
  Inbox,
  type LucideIcon,
  Rocket,
  TriangleAlert,
  UserPlus,
} from 'lucide-react';
import { useState } from 'react';
import { draftCountsQuery } from '../../content/editing.ts';
import { KINDS } from '../../content/kinds.ts';
import { type BookingRow, bookingsBetweenQuery } from '../../data/bookings/bookings.ts';
import { failedChecksQuery } from '../../data/chat/assistant-checks.ts';
import { openQuestionsQuery } from '../../data/chat/unanswered-questions.ts';
import { newLeadsQuery } from '../../data/leads/leads.ts';
import { pendingRegistrationsQuery } from '../../data/people/registrations.ts';
import { openReleasesQuery } from '../../data/releases/releases.ts';
import { formatTime } from '../../lib/format-time.ts';
import { Button } from '../../ui/button.tsx';
import { Panel, ROW_LINK } from './panel.tsx';
import { focusPending } from './pending-registrations.tsx';

interface Waiting extends Pick<LinkProps, 'to' | 'params' | 'search'> {
  icon: LucideIcon;
  text: string;
  /** Says more of the first of them. */
  detail?: string | undefined;
  isFault?: boolean;
  onClick?: () => void;
}

/**
 * Lists what somebody has to do, in the order of what it costs to leave it: who calls today stands before a draft. Each
 * row is there as soon as it is read, whatever the others take.
 */
export function WhatWaits() {
  const [[from, to]] = useState(today);
  const queries = useQueries({
    queries: [
      openReleasesQuery,
      bookingsBetweenQuery(from, to),
      pendingRegistrationsQuery,
      newLeadsQuery,
      failedChecksQuery,
      openQuestionsQuery,
      draftCountsQuery(KINDS),
    ],
  });
  const [releases, calls, registrations, leads, checks, questions, drafts] = queries;
  const waiting = [
    ...(releases.data ?? []).flatMap(failedRelease),
    ...waitingCalls(calls.data ?? []),
    ...waitingCount(registrations.data?.people.length, {
      icon: UserPlus,
      one: 'One person asks to join the team',
      many: 'people ask to join the team',
      to: '/admin/dashboard',
      // They are decided about on this very screen.
      onClick: focusPending,
    }),
    ...waitingCount(leads.data, {
      icon: Inbox,
      one: 'One lead has no answer yet',
      many: 'leads have no answer yet',
      to: '/admin/leads',
      search: { status: 'new' },
    }),
    ...(releases.data ?? []).flatMap((release) => dueRelease(release, to)),
    ...waitingCount(checks.data, {
      icon: TriangleAlert,
      isFault: true,
      one: 'The assistant answers one question of its test box wrongly',
      many: 'questions of its test box are answered wrongly by the assistant',
      to: '/admin/conversations/checks',
    }),
    ...waitingCount(questions.data, {
      icon: CircleHelp,
      one: 'One question found no answer',
      many: 'questions found no answer',
      to: '/admin/conversations/unanswered',
    }),
    ...KINDS.flatMap(({ table, path, one, many, icon }) =>
      waitingCount(drafts.data?.get(table), {
        icon,
        one: `One ${one} is a draft`,
        many: `${many} are drafts`,
        to: '/admin/$kind',
        params: { kind: path },
        search: { status: 'draft' },
      }),
    ),
  ];
  const failure = queries.find(({ error, data }) => error && data === undefined)?.error ?? null;
  const isRead = queries.every(({ data }) => data !== undefined);
  const retry = () => void Promise.all(queries.map(({ refetch }) => refetch()));
  const rows = waiting.map(({ icon: Icon, text, detail, isFault, ...link }) => (
    <li key={text}>
      <Link {...link} className={ROW_LINK}>
        <Icon aria-hidden="true" className={`size-4.5 shrink-0 ${isFault ? 'text-danger' : 'text-muted'}`} />
        <span className="flex min-w-0 grow flex-wrap gap-x-3 [overflow-wrap:anywhere]">
          <span className="font-medium">{text}</span>
          {detail && <span className="text-muted">{detail}</span>}
        </span>
        <ChevronRight aria-hidden="true" className="size-4.5 shrink-0 text-muted" />
      </Link>
    </li>
  ));
  if (failure && rows.length > 0) rows.push(<NotRead key="not-read" onRetry={retry} />);
  return (
    <Panel
      heading="What waits"
      error={failure}
      onRetry={retry}
      none="Nothing waits for you."
      rows={isRead || rows.length > 0 ? rows : undefined}
    />
  );
}

/** Says below what waits that there may be more. */
function NotRead({ onRetry }: { onRetry: () => void }) {
  return (
    <li role="alert" className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-2.5 text-danger">
      There may be more: some of it could not be loaded.
      <Button variant="secondary" size="sm" onClick={onRetry}>
        Try again
      </Button>
    </li>
  );
}

/** Returns the beginning and the end of this day where the reader is, in ISO 8601. */
function today(): [from: string, to: string] {
  const from = new Date();
  from.setHours(0, 0, 0, 0);
  const to = new Date(from);
  to.setDate(to.getDate() + 1);
  return [from.toISOString(), to.toISOString()];
}

function waitingCalls(calls: readonly BookingRow[]): Waiting[] {
  const now = new Date().toISOString();
  const [next, ...later] = calls.filter(({ state, ends_at }) => state === 'booked' && ends_at > now);
  if (!next) return [];
  return [
    {
      icon: CalendarDays,
      text: later.length === 0 ? 'One call today' : `${later.length + 1} calls today`,
      detail: `${later.length === 0 ? '' : 'the next '}with ${next.name}, ${formatTime(next.starts_at)}`,
      to: '/admin/bookings',
    },
  ];
}

interface OpenRelease {
  id: string;
  name: string;
  publish_at: string | null;
  failure: string | null;
}

function failedRelease({ id, name, failure }: OpenRelease): Waiting[] {
  if (!failure) return [];
  return [{ ...releaseLink(id), isFault: true, text: `The release “${name}” could not be published` }];
}

/** One that goes out by itself today waits for a last look. */
function dueRelease({ id, name, publish_at, failure }: OpenRelease, endOfDay: string): Waiting[] {
  if (failure || publish_at === null || new Date(publish_at) > new Date(endOfDay)) return [];
  return [{ ...releaseLink(id), text: `The release “${name}” goes out today`, detail: formatTime(publish_at) }];
}

function releaseLink(id: string) {
  return { icon: Rocket, to: '/admin/releases/$id', params: { id } } as const;
}

function waitingCount(
  count: number | undefined,
  { one, many, ...waiting }: Omit<Waiting, 'text'> & { one: string; many: string },
): Waiting[] {
  return count ? [{ ...waiting, text: count === 1 ? one : `${count} ${many}` }] : [];
}
