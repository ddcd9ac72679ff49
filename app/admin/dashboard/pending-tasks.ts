/** Builds the rows of the task queue from the results of its queries. */
import type { LinkProps } from '@tanstack/react-router';
import { CalendarDays, FilePen, Inbox, type LucideIcon, MailX, Rocket, UserPlus } from 'lucide-react';
import type { PendingRegistration } from '../../accounts/registrations.ts';
import type { BookingRow } from '../../bookings/bookings.ts';
import type { ContentKind } from '../../content/kind.ts';
import { leadName } from '../../leads/lead-labels.tsx';
import { LEAD_SOURCES, type Lead } from '../../leads/leads.ts';
import { formatClock, formatTime } from '../../ui/lib/format-time.ts';
import type { FailedMail } from './failed-mails.ts';

export interface Task extends Pick<LinkProps, 'to' | 'params' | 'search' | 'hash'> {
  /** Unique key, because several rows may have the same text. */
  key: string;
  icon: LucideIcon;
  text: string;
  detail?: string | undefined;
  isFault?: boolean;
  /** Actions in the row, instead of a link. */
  actions?: readonly Action[];
}

type OnSettled = (isDone: boolean) => void;

export interface Action {
  label: string;
  /** Calls `onSettled` on success and on failure. Failures are shown as a toast. */
  run: (onSettled: OnSettled) => void;
}

/** Maximum number of leads, and of emails, with their own row. One more row counts the others. */
const SHOWN = 3;

/** Id of the heading of the pending registrations. */
export const REGISTRATIONS_HEADING = 'pending-heading';

/** One row for all pending team registrations, with a link to the list below. */
export function registrationTasks(people: readonly PendingRegistration[]): Task[] {
  const rest = people.length - SHOWN;
  const emails = people.slice(0, SHOWN).map(({ email }) => email);
  return countTasks(people.length, {
    key: 'registrations',
    icon: UserPlus,
    singular: 'One team registration needs your decision',
    plural: 'team registrations need your decision',
    detail: [...emails, ...(rest > 0 ? [`${rest} more`] : [])].join(', '),
    to: '/admin/dashboard',
    hash: REGISTRATIONS_HEADING,
  });
}

export function callTasks(calls: readonly BookingRow[]): Task[] {
  const [next, ...later] = remainingCalls(calls);
  if (!next) return [];
  return [
    {
      key: 'calls',
      icon: CalendarDays,
      text: later.length === 0 ? 'One call today' : `${later.length + 1} calls today`,
      detail: `${later.length === 0 ? '' : 'the next '}with ${next.name}, ${formatClock(next.starts_at)}`,
      to: '/admin/bookings',
    },
  ];
}

/** Returns the calls that have not ended. */
export function remainingCalls(calls: readonly BookingRow[]): BookingRow[] {
  const now = new Date().toISOString();
  return calls.filter(({ state, ends_at }) => state === 'booked' && ends_at > now);
}

/** @param leads the newest of all `count` leads */
export function leadTasks(
  leads: readonly Lead[],
  count: number,
  markContacted: (lead: Lead, onSettled: OnSettled) => void,
): Task[] {
  const shown = leads.slice(0, SHOWN).map((lead): Task => {
    const name = leadName(lead);
    return {
      key: lead.id,
      icon: Inbox,
      text: `${name} is waiting for a reply`,
      detail: [LEAD_SOURCES[lead.source], formatTime(lead.created_at)].join(', '),
      to: '/admin/leads/$id',
      params: { id: lead.id },
      actions: [{ label: 'Mark as contacted', run: (onSettled) => markContacted(lead, onSettled) }],
    };
  });
  const rest = countTasks(count - shown.length, {
    key: 'leads',
    icon: Inbox,
    singular: 'One more lead is waiting for a reply',
    plural: 'more leads are waiting for a reply',
    to: '/admin/leads',
    search: { status: 'new' },
  });
  return [...shown, ...rest];
}

export interface MailActions {
  send: (id: number, onSettled: OnSettled) => void;
  dismiss: (id: number, onSettled: OnSettled) => void;
}

/** Rows for emails that could not be delivered. */
export function failedMailTasks(mails: readonly FailedMail[], { send, dismiss }: MailActions): Task[] {
  const shown = mails.slice(0, SHOWN).map(
    ({ id, recipient, reason }): Task => ({
      key: `mail ${id}`,
      icon: MailX,
      isFault: true,
      text: `An email to ${recipient} could not be sent`,
      detail: reason,
      actions: [
        { label: 'Send again', run: (onSettled) => send(id, onSettled) },
        { label: 'Dismiss', run: (onSettled) => dismiss(id, onSettled) },
      ],
    }),
  );
  const rest = countTasks(mails.length - shown.length, {
    key: 'mails',
    icon: MailX,
    isFault: true,
    singular: 'One more email could not be sent',
    plural: 'more emails could not be sent',
  });
  return [...shown, ...rest];
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
    { ...releaseLink(id), text: `The release “${name}” will be published today`, detail: formatTime(publish_at) },
  ];
}

function releaseLink(id: string) {
  return { key: id, icon: Rocket, to: '/admin/releases/$id', params: { id } } as const;
}

/** One row for all drafts, with a link to the first kind that has some. */
export function draftTasks(kinds: readonly ContentKind[], counts: ReadonlyMap<string, number>): Task[] {
  const found = kinds.map((kind) => ({ kind, count: counts.get(kind.table) ?? 0 })).filter(({ count }) => count > 0);
  const [first] = found;
  if (!first) return [];
  const total = found.reduce((sum, { count }) => sum + count, 0);
  return [
    {
      key: 'drafts',
      icon: FilePen,
      text: total === 1 ? `One ${first.kind.singular} is a draft` : `${total} drafts are not published`,
      detail:
        found.length === 1 && total === 1
          ? undefined
          : found.map(({ kind, count }) => `${count} ${count === 1 ? kind.singular : kind.plural}`).join(', '),
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
