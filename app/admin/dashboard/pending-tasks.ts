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
  isFailure?: boolean;
  /** Buttons at the end of the row. */
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

/** Maximum number of rows each for calls, leads and emails. An extra row shows how many are not listed. */
const MAX_ROWS = 2;

interface Call {
  id: string;
  starts_at: string;
  name: string;
  email: string;
  service: string;
}

/** Returns tasks for the calls that start before `endOfDay`. */
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
  /** The oldest new leads. */
  leads: readonly Lead[];
  /** Number of all new leads. */
  count: number;
  /** Upcoming calls. People who booked one are not waiting for a reply. */
  calls: readonly Call[];
  endOfDay: string;
}

/** Returns tasks for new leads, oldest first. Leads with a later call share one task, and leads with a call today are omitted. */
export function leadTasks(
  { leads, count, calls, endOfDay }: NewLeads,
  markContacted: (lead: Lead, onSettled: OnSettled) => void,
): Task[] {
  const emailsOf = (someCalls: readonly Call[]) => new Set(someCalls.map(({ email }) => email.toLowerCase()));
  const [callerEmails, emailsOfToday] = [emailsOf(calls), emailsOf(callsBefore(calls, endOfDay))];
  const hasBooked = ({ source, email }: Lead) => source === 'booking' || callerEmails.has(email.toLowerCase());
  const bookedLeads = leads.filter(hasBooked);
  const laterLeads = bookedLeads.filter(({ email }) => !emailsOfToday.has(email.toLowerCase()));
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
    ...countTasks(count - bookedLeads.length - visibleLeads.length, {
      ...list,
      key: 'leads',
      singular: 'One more new lead',
      plural: 'more new leads',
    }),
    ...countTasks(laterLeads.length, {
      ...list,
      key: 'booked',
      singular: 'One new lead has booked a call',
      plural: 'new leads have booked a call',
      detail: laterLeads.map(leadName).join(', '),
    }),
  ];
}

export interface MailActions {
  send: (id: number, onSettled: OnSettled) => void;
  dismiss: (id: number, onSettled: OnSettled) => void;
}

/** Returns tasks for emails that could not be delivered. */
export function failedMailTasks(mails: readonly FailedMail[], { send, dismiss }: MailActions): Task[] {
  const visibleMails = mails.slice(0, MAX_ROWS).map(
    ({ id, recipient, reason }): Task => ({
      key: `mail ${id}`,
      icon: MailX,
      isFailure: true,
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
    isFailure: true,
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
  return [{ ...releaseLink(id), isFailure: true, text: `The release “${name}” could not be published` }];
}

/** Returns a task if the release is due before `endOfDay`. */
export function dueReleaseTasks({ id, name, publish_at, failure }: OpenRelease, endOfDay: string): Task[] {
  if (failure || publish_at === null || new Date(publish_at) > new Date(endOfDay)) return [];
  return [
    { ...releaseLink(id), text: `The release “${name}” will be published today`, detail: formatClock(publish_at) },
  ];
}

function releaseLink(id: string) {
  return { key: id, icon: Rocket, to: '/admin/releases/$id', params: { id } } as const;
}

/** Returns one task for all drafts. It links to the first kind that has drafts. */
export function draftTasks(kinds: readonly ContentKind[], counts: ReadonlyMap<string, number>): Task[] {
  const draftKinds = kinds
    .map((kind) => ({ kind, count: counts.get(kind.table) ?? 0 }))
    .filter(({ count }) => count > 0);
  const firstKind = draftKinds[0]?.kind;
  if (!firstKind) return [];
  const total = draftKinds.reduce((sum, { count }) => sum + count, 0);
  return [
    {
      key: 'drafts',
      icon: FilePen,
      text: total === 1 ? `One ${firstKind.singular} is a draft` : `${total} drafts are not published`,
      detail:
        draftKinds.length === 1 && total === 1
          ? undefined
          : draftKinds.map(({ kind, count }) => `${count} ${count === 1 ? kind.singular : kind.plural}`).join(', '),
      to: '/admin/$kind',
      params: { kind: firstKind.path },
      search: { status: 'draft' },
    },
  ];
}

export function countTasks(
  count: number | undefined,
  { singular, plural, ...task }: Omit<Task, 'text'> & { singular: string; plural: string },
): Task[] {
  return count && count > 0 ? [{ ...task, text: count === 1 ? singular : `${count} ${plural}` }] : [];
}
