import { useQueries } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { CalendarDays, ChevronRight, CircleHelp, Inbox, type LucideIcon, Rocket, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { type BookingRow, bookingsBetweenQuery } from '../../data/bookings/bookings.ts';
import { failedChecksQuery } from '../../data/chat/assistant-checks.ts';
import { openQuestionsQuery } from '../../data/chat/unanswered-questions.ts';
import { newLeadsQuery } from '../../data/leads/leads.ts';
import { openReleasesQuery } from '../../data/releases/releases.ts';
import { formatTime } from '../../lib/format-time.ts';
import { Panel, ROW_LINK } from './panel.tsx';

interface Waiting extends Pick<LinkProps, 'to' | 'params' | 'search' | 'hash'> {
  icon: LucideIcon;
  text: string;
  /** Says more of the first of them. */
  detail?: string | undefined;
  isFault?: boolean;
}

/** Lists what somebody has to do, in the order of what it costs to leave it: who calls today stands before a draft. */
export function WhatWaits() {
  const [[from, to]] = useState(today);
  const queries = useQueries({
    queries: [bookingsBetweenQuery(from, to), newLeadsQuery, openQuestionsQuery, failedChecksQuery, openReleasesQuery],
  });
  const [calls, leads, questions, checks, releases] = queries;
  const failed = queries.find(({ error }) => error);
  const isRead =
    calls.data &&
    leads.data !== undefined &&
    questions.data !== undefined &&
    checks.data !== undefined &&
    releases.data;
  const waiting = isRead
    ? [
        ...releases.data.flatMap((release) => waitingRelease(release, to)),
        ...waitingCalls(calls.data),
        ...waitingCount(leads.data, {
          icon: Inbox,
          one: 'One lead has no answer yet',
          many: 'leads have no answer yet',
          to: '/admin/leads',
          search: { status: 'new' },
        }),
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
      ]
    : undefined;
  return (
    <Panel
      heading="What waits"
      error={failed?.error ?? null}
      onRetry={() => void Promise.all(queries.map(({ refetch }) => refetch()))}
      none="Nothing waits for you."
      rows={waiting?.map(({ icon: Icon, text, detail, isFault, ...link }) => (
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
      ))}
    />
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

/** A release that failed waits, and one that goes out by itself today. */
function waitingRelease({ id, name, publish_at, failure }: OpenRelease, endOfDay: string): Waiting[] {
  const link = { icon: Rocket, to: '/admin/releases/$id', params: { id } } as const;
  if (failure) return [{ ...link, isFault: true, text: `The release “${name}” could not be published` }];
  if (publish_at === null || new Date(publish_at) > new Date(endOfDay)) return [];
  return [{ ...link, text: `The release “${name}” goes out today`, detail: formatTime(publish_at) }];
}

function waitingCount(
  count: number,
  { one, many, ...waiting }: Omit<Waiting, 'text'> & { one: string; many: string },
): Waiting[] {
  return count === 0 ? [] : [{ ...waiting, text: count === 1 ? one : `${count} ${many}` }];
}
