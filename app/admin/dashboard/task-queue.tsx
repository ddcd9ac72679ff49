import { useQueries } from '@tanstack/react-query';
import { CircleHelp, Handshake, TriangleAlert, Webhook } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { pendingRegistrationsQuery } from '../../accounts/registrations.ts';
import { upcomingCallsQuery } from '../../bookings/bookings.ts';
import { failedChecksQuery } from '../../chat/assistant-checks.ts';
import { openQuestionsQuery } from '../../chat/unanswered-questions.ts';
import { overviewQuery } from '../../clients/team-overview.ts';
import { draftCountsQuery } from '../../content/editing.ts';
import { KINDS } from '../../content/kinds.ts';
import { openReleasesQuery } from '../../editing/releases/releases.ts';
import { failedWebhooksQuery } from '../../leads/lead-webhook.ts';
import { markContactedMutation, newLeadsQuery } from '../../leads/leads.ts';
import { Button } from '../../ui/button.tsx';
import { todayRange } from '../../ui/lib/today.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { dismissFailedMailMutation, failedMailsQuery, sendFailedMailMutation } from './failed-mails.ts';
import { Panel } from './panel.tsx';
import {
  callTasks,
  countTasks,
  draftTasks,
  dueReleaseTasks,
  failedMailTasks,
  failedReleaseTasks,
  leadTasks,
  type MailActions,
  type Task,
} from './pending-tasks.ts';
import { moveBetweenRows, TaskRow } from './task-row.tsx';

/** Tasks of the same kind, which share one row. */
const COUNTED_TASKS = {
  clients: {
    key: 'clients',
    icon: Handshake,
    singular: 'One client answer is waiting for us',
    plural: 'client answers are waiting for us',
    to: '/admin/clients',
  },
  webhooks: {
    key: 'webhooks',
    icon: Webhook,
    isFailure: true,
    singular: 'One lead could not be sent to the webhook',
    plural: 'leads could not be sent to the webhook',
    to: '/admin/leads/webhook',
  },
  checks: {
    key: 'checks',
    icon: TriangleAlert,
    isFailure: true,
    singular: 'One check of the test box failed',
    plural: 'checks of the test box failed',
    to: '/admin/conversations/checks',
  },
  questions: {
    key: 'questions',
    icon: CircleHelp,
    singular: 'One question has no answer',
    plural: 'questions have no answer',
    to: '/admin/conversations/unanswered',
  },
} as const;

/** Lists pending tasks by urgency, from today's calls to drafts. Each row appears as soon as its query has loaded.
 * Registrations are listed separately below the queue.
 */
export function TaskQueue({ heading }: { heading: RefObject<HTMLHeadingElement | null> }) {
  const [[, endOfDay]] = useState(todayRange);
  const queries = useQueries({
    queries: [
      pendingRegistrationsQuery,
      openReleasesQuery,
      upcomingCallsQuery,
      failedMailsQuery,
      newLeadsQuery,
      overviewQuery,
      failedWebhooksQuery,
      failedChecksQuery,
      openQuestionsQuery,
      draftCountsQuery(KINDS),
    ],
  });
  const [registrations, releases, calls, mails, leads, clients, webhooks, checks, questions, drafts] = queries;
  const markAsContacted = useMarkContacted();
  const mailActions = useMailActions();
  const tasks = [
    ...callTasks(calls.data ?? [], endOfDay),
    ...(releases.data ?? []).flatMap(failedReleaseTasks),
    ...failedMailTasks(mails.data ?? [], mailActions),
    ...(releases.data ?? []).flatMap((release) => dueReleaseTasks(release, endOfDay)),
    // Requires the calls, because people who booked one are not waiting for a reply.
    ...(leads.data && !calls.isPending
      ? leadTasks(
          { leads: leads.data.items, count: leads.data.count, calls: calls.data ?? [], endOfDay },
          markAsContacted,
        )
      : []),
    ...countTasks(
      clients.data?.reduce((sum, { waits_for_us }) => sum + waits_for_us, 0),
      COUNTED_TASKS.clients,
    ),
    ...countTasks(webhooks.data, COUNTED_TASKS.webhooks),
    ...countTasks(checks.data, COUNTED_TASKS.checks),
    ...countTasks(questions.data, COUNTED_TASKS.questions),
    ...draftTasks(KINDS, drafts.data ?? new Map()),
  ] satisfies Task[];
  const hasNoRegistrations = registrations.data?.people.length === 0;
  const failure = queries.find(({ error, data }) => error && data === undefined)?.error ?? null;
  const isLoaded = queries.every(({ data }) => data !== undefined);
  const retry = () => void Promise.all(queries.map(({ refetch }) => refetch()));
  const rows = tasks.map((task) => <TaskRow {...task} key={task.key} />);
  if (failure && rows.length > 0) rows.push(<IncompleteNotice key="incomplete" onRetry={retry} />);
  return (
    <Panel
      heading="Pending tasks"
      headingRef={heading}
      more={hasNoRegistrations && rows.length > 0 && <p className="text-sm text-muted">No pending registrations</p>}
      error={failure}
      onRetry={retry}
      emptyText={hasNoRegistrations ? 'No pending tasks or registrations.' : 'No other pending tasks.'}
      rows={isLoaded || rows.length > 0 ? rows : undefined}
      onKeyDown={moveBetweenRows}
    />
  );
}

/** Reports that some queries failed, and offers to retry them. */
function IncompleteNotice({ onRetry }: { onRetry: () => void }) {
  return (
    <li role="alert" className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-2.5 text-danger">
      Some tasks could not be loaded.
      <Button variant="secondary" size="sm" onClick={onRetry}>
        Try again
      </Button>
    </li>
  );
}

/** Returns the action that marks a lead as contacted. */
function useMarkContacted(): Parameters<typeof leadTasks>[1] {
  const { mutate } = useMutationWithToasts(markContactedMutation, {
    success: 'Lead updated successfully',
    failure: 'Could not update the lead',
  });
  return ({ id }, onSettled) => mutate(id, { onSettled: (_nothing, error) => onSettled(!error) });
}

function useMailActions(): MailActions {
  const { mutate: send } = useMutationWithToasts(sendFailedMailMutation, {
    success: ['Email queued for sending', 'If it fails again, it will reappear here.'],
    failure: 'Could not send the email',
  });
  const { mutate: dismiss } = useMutationWithToasts(dismissFailedMailMutation, {
    success: 'Email dismissed',
    failure: 'Could not dismiss the email',
  });
  return {
    send: (id, onSettled) => send(id, { onSettled: (_nothing, error) => onSettled(!error) }),
    dismiss: (id, onSettled) => dismiss(id, { onSettled: (_nothing, error) => onSettled(!error) }),
  };
}
