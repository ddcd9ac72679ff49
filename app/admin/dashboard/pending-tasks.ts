/** Builds the rows of the task queue from the results of its queries. */
import type { LinkProps } from '@tanstack/react-router';
import { CalendarDays, Check, FilePen, Inbox, type LucideIcon, MailX, Rocket, RotateCw, X } from 'lucide-react';
import type { ContentKind } from '../../content/kind.ts';
import { leadName } from '../../leads/lead-labels.tsx';
import { LEAD_SOURCES, type Lead } from '../../leads/leads.ts';
import { formatClock } from '../../ui/lib/format-time.ts';
import type { FailedMail } from './failed-mails.ts';

export interface Task extends Pick<LinkProps, 'to' | 'params' | 'search' | 'hash'> {
  /** Unique key, because several rows may have the same text. */
  key: string;
  icon: LucideIcon;
  text: string;
  detail?: string | undefined;
  /** Time of the event, shown after the detail. */
  at?: string;
  isFault?: boolean;
  /** Actions in the row, instead of a link. */
  actions?: readonly Action[];
}

type OnSettled = (isDone: boolean) => void;

export interface Action {
  label: string;
  /** Replaces the label on phones. */
  icon: LucideIcon;
  /** Calls `onSettled` on success and on failure. Failures are shown as a toast. */
  run: (onSettled: OnSettled) => void;
}

/** Maximum number of calls, leads and emails with their own row. One more row counts the others. */
const MAX_ROWS = 2;

interface Call {
  id: string;
  starts_at: string;
  name: string;
  email: string;
  service: string;
}

/** Rows for the next calls that start before `endOfDay`. */
export function callTasks(calls: readonly Call[], endOfDay: string): Task[] {
  const today = callsBefore(calls, endOfDay);
  const visibleCalls = today.slice(0, MAX_ROWS).map(
    ({ id, starts_at, name, email, service }): Task => ({
      key: id,
      icon: CalendarDays,
      text: `${formatClock(starts_at)} Call with ${name || email}`,
      detail: service || email,
      to: '/admin/bookings',
    }),
  );
  const otherCallsTask = countTasks(today.length - visibleCalls.length, {
    key: 'calls',
    icon: CalendarDays,
    singular: 'One more call today',
    plural: 'more calls today',
    to: '/admin/bookings',
  });
  return [...visibleCalls, ...otherCallsTask];
}

function callsBefore(calls: readonly Call[], end: string): Call[] {
  return calls.filter(({ starts_at }) => Date.parse(starts_at) < Date.parse(end));
}

interface NewLeads {
  /** The oldest of all `count` leads. */
  leads: readonly Lead[];
  count: number;
  /** Upcoming calls. People who booked one are not waiting for a reply. */
  calls: readonly Call[];
  endOfDay: string;
}

/** Rows for new leads, oldest first, and one row for the people who booked a call. Today's callers have their own row. */
export function leadTasks(
  { leads, count, calls, endOfDay }: NewLeads,
  markContacted: (lead: Lead, onSettled: OnSettled) => void,
): Task[] {
  const addresses = (some: readonly Call[]) => new Set(some.map(({ email }) => email.toLowerCase()));
  const [callers, callersToday] = [addresses(calls), addresses(callsBefore(calls, endOfDay))];
  const hasBooked = ({ source, email }: Lead) => source === 'booking' || callers.has(email.toLowerCase());
  const booked = leads.filter(hasBooked);
  const later = booked.filter(({ email }) => !callersToday.has(email.toLowerCase()));
  const leadsWithoutCall = leads.filter((lead) => !hasBooked(lead));
  const visibleLeads = leadsWithoutCall.slice(0, MAX_ROWS).map((lead): Task => {
    return {
      key: lead.id,
      icon: Inbox,
      text: `${leadName(lead)} is waiting for a reply`,
      detail: LEAD_SOURCES[lead.source],
      at: lead.created_at,
      to: '/admin/leads/$id',
      params: { id: lead.id },
      actions: [{ label: 'Mark as contacted', icon: Check, run: (onSettled) => markContacted(lead, onSettled) }],
    };
  });
  const list = { icon: Inbox, to: '/admin/leads', search: { status: 'new' } } as const;
  return [
    ...visibleLeads,
    ...countTasks(count - booked.length - visibleLeads.length, {
      ...list,
      key: 'leads',
      singular: 'One more new lead',
      plural: 'more new leads',
    }),
    ...countTasks(later.length, {
      ...list,
      key: 'booked',
      singular: 'One new lead has booked a call',
      plural: 'new leads have booked a call',
      detail: later.map(leadName).join(', '),
    }),
  ];
}

export interface MailActions {
  send: (id: number, onSettled: OnSettled) => void;
  dismiss: (id: number, onSettled: OnSettled) => void;
}

/** Rows for emails that could not be delivered. */
export function failedMailTasks(mails: readonly FailedMail[], { send, dismiss }: MailActions): Task[] {
  const visibleMails = mails.slice(0, MAX_ROWS).map(
    ({ id, recipient, reason }): Task => ({
      key: `mail ${id}`,
      icon: MailX,
      isFault: true,
      text: `An email to ${recipient} could not be sent`,
      detail: reason,
      actions: [
        { label: 'Send again', icon: RotateCw, run: (onSettled) => send(id, onSettled) },
        { label: 'Dismiss', icon: X, run: (onSettled) => dismiss(id, onSettled) },
      ],
    }),
  );
  const otherMailsTask = countTasks(mails.length - visibleMails.length, {
    key: 'mails',
    icon: MailX,
    isFault: true,
    singular: 'One more email could not be sent',
    plural: 'more emails could not be sent',
  });
  return [...visibleMails, ...otherMailsTask];
}

interface OpenRelease {
  id: string;
  name: string;
  publish_at: string | null;
  failure: string | null;
}

export function failedReleaseTasks({ id, name, failure }: OpenRelease): Task[] {
  if (!failure) return [];
  return [{ ...releaseLink(id), isFault: true, text: `The release “${name}” could not be published` }];
}

/** Row for a release that failed, or that will be published before `endOfDay`. */
export function dueReleaseTasks({ id, name, publish_at, failure }: OpenRelease, endOfDay: string): Task[] {
  if (failure || publish_at === null || new Date(publish_at) > new Date(endOfDay)) return [];
  return [
    { ...releaseLink(id), text: `The release “${name}” will be published today`, detail: formatClock(publish_at) },
  ];
}

function releaseLink(id: string) {
  return { key: id, icon: Rocket, to: '/admin/releases/$id', params: { id } } as const;
}

/** Returns one row for all drafts. It links to the first kind that has drafts. */
export function draftTasks(kinds: readonly ContentKind[], counts: ReadonlyMap<string, number>): Task[] {
  const draftKinds = kinds
    .map((kind) => ({ kind, count: counts.get(kind.table) ?? 0 }))
    .filter(({ count }) => count > 0);
  const [first] = draftKinds;
  if (!first) return [];
  const total = draftKinds.reduce((sum, { count }) => sum + count, 0);
  return [
    {
      key: 'drafts',
      icon: FilePen,
      text: total === 1 ? `One ${first.kind.singular} is a draft` : `${total} drafts are not published`,
      detail:
        draftKinds.length === 1 && total === 1
          ? undefined
          : draftKinds.map(({ kind, count }) => `${count} ${count === 1 ? kind.singular : kind.plural}`).join(', '),
      to: '/admin/$kind',
      params: { kind: first.kind.path },
      search: { status: 'draft' },
    },
  ];
}

export function countTasks(
  count: number | undefined,
  { singular, plural, ...waiting }: Omit<Task, 'text'> & { singular: string; plural: string },
): Task[] {
  return count && count > 0 ? [{ ...waiting, text: count === 1 ? singular : `${count} ${plural}` }] : [];
}
