import { Link, useLocation } from '@tanstack/react-router';
import { Pencil, Trash2 } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ActionsMenu, DropdownItem } from '../../ui/dropdown-menu.tsx';
import { formatDate } from '../../ui/lib/format-date.ts';
import { formatTime } from '../../ui/lib/format-time.ts';
import { useLinkedItem } from '../../ui/lib/use-linked-item.ts';
import { dayOf, visitorZone } from '../../ui/lib/zoned-times.ts';
import { FoldRow } from '../../ui/list/fold-row.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { viewerNotice } from '../client-people.ts';
import type { Client } from '../clients.ts';
import { formatShortDay } from '../figures/progress.ts';
import { DisputeDialog } from './dispute-dialog.tsx';
import { criterionLabel, meetingName } from './meeting-details.ts';
import { MeetingDialog } from './meeting-dialog.tsx';
import { MeetingHistory } from './meeting-history.tsx';
import { MeetingJudgement } from './meeting-judgement.tsx';
import { MeetingResult } from './meeting-result.tsx';
import { answerMeetingMutation, deleteMeetingMutation, isAwaitingAnswer, type Meeting, OUTCOMES } from './meetings.ts';

interface MeetingRowProps {
  client: Pick<Client, 'id' | 'name' | 'currency' | 'campaigns'>;
  meeting: Meeting;
  isTeam: boolean;
  canAnswer: boolean;
  /** Element ID that links in emails and pending lists use. */
  id: string | undefined;
  /** Receives keyboard focus when buttons of the row are removed. */
  focusAfter: RefObject<HTMLElement | null>;
}

/** Meeting in one line. Expands to the evidence, the criteria and the result. Meetings that need an answer are open. */
export function MeetingRow({ client, meeting, isTeam, canAnswer, id, focusAfter }: MeetingRowProps) {
  const { starts_at, booked_on, outcome, evidence, answer, reason, answered_by, details } = meeting;
  const { criterion, judgement, lead, is_closed, result } = details;
  const isLinked = useLocation({ select: ({ hash }) => hash !== '' && hash === id });
  const needsAnswer = !isTeam && (isAwaitingAnswer(meeting) || result.is_awaited);
  const hasMenu = isTeam && answer !== 'accepted' && !is_closed;
  return (
    <li ref={useLinkedItem(id)} id={id} tabIndex={-1} className="scroll-mt-24 py-1">
      <FoldRow
        isOpen={isLinked || needsAnswer}
        title={<span className="font-medium [overflow-wrap:anywhere]">{meetingName(meeting)}</span>}
        detail={
          <>
            {starts_at === null ? (
              <span>Booked on {formatDate(booked_on)}</span>
            ) : (
              <time dateTime={starts_at}>{formatTime(starts_at)}</time>
            )}
            {meeting.campaign !== null && <span>{`, ${meeting.campaign}`}</span>}
          </>
        }
        badges={
          <>
            <Badge>{OUTCOMES[outcome]}</Badge>
            <AnswerStatus meeting={meeting} />
          </>
        }
        menu={isTeam ? hasMenu && <TeamActions client={client} meeting={meeting} focusAfter={focusAfter} /> : undefined}
      >
        {evidence !== '' && <p className="measure text-sm [overflow-wrap:anywhere]">{evidence}</p>}
        {lead && id !== undefined && (
          <Link
            to="."
            search={(previous) => ({ ...previous, tab: 'leads' })}
            hash={`lead-${lead.id}`}
            resetScroll={false}
            className="justify-self-start text-sm underline underline-offset-4 [overflow-wrap:anywhere]"
          >
            {`Lead: ${lead.name}`}
          </Link>
        )}
        {answer === 'disputed' && (
          <blockquote className="measure border-l-2 border-line-strong pl-4 whitespace-pre-line [overflow-wrap:anywhere]">
            {criterion !== null && <p className="font-medium">{criterionLabel(criterion, judgement)}</p>}
            <p>{reason}</p>
            {answered_by !== '' && <footer className="text-sm text-muted">{answered_by}</footer>}
          </blockquote>
        )}
        {judgement && <MeetingJudgement meeting={meeting} judgement={judgement} />}
        {outcome === 'held' && answer !== 'disputed' && (
          <MeetingResult client={client} meeting={meeting} canReport={isTeam || canAnswer} focusAfter={focusAfter} />
        )}
        <MeetingHistory meeting={meeting} />
        {!isTeam && !canAnswer && meeting.is_open && <p className="text-sm text-muted">{viewerNotice(client.name)}</p>}
        {canAnswer && meeting.is_open && <Answer clientId={client.id} meeting={meeting} focusAfter={focusAfter} />}
      </FoldRow>
    </li>
  );
}

/** Shows the client's answer or the deadline for an answer. */
function AnswerStatus({ meeting: { answer, answer_until, is_open } }: Pick<MeetingRowProps, 'meeting'>) {
  const [today] = useState(() => dayOf(new Date().toISOString(), visitorZone()));
  if (answer === 'accepted') return <Badge tone="accent">Accepted</Badge>;
  if (answer === 'disputed') return <Badge tone="warning">Disputed</Badge>;
  if (answer_until === null) return null;
  const deadline = formatShortDay(dayOf(answer_until, visitorZone()), today);
  return <Badge tone="neutral">{is_open ? `Answer by ${deadline}` : 'Not disputed'}</Badge>;
}

interface AnswerProps extends Pick<MeetingRowProps, 'meeting' | 'focusAfter'> {
  clientId: string;
}

function Answer({ clientId, meeting, focusAfter }: AnswerProps) {
  const { answer, answer_until, outcome } = meeting;
  const until = answer === null && answer_until ? ` You can dispute it until ${formatTime(answer_until)}.` : '';
  // Keep the displayed meeting, because a refetch may change the meeting while the dialog is open.
  const [meetingToDispute, setMeetingToDispute] = useState<Meeting | null>(null);
  const accept = useMutationWithToasts(
    // Move focus before the meetings are refetched, which removes these buttons.
    { ...answerMeetingMutation, onSuccess: () => focusAfter.current?.focus() },
    { success: 'Meeting accepted', failure: 'Could not save your answer' },
  );
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button
        variant={answer === null ? 'primary' : 'secondary'}
        size="sm"
        className="max-sm:min-h-11"
        loading={accept.isPending}
        aria-label={`${answer === null ? 'Accept' : 'Accept after all:'} the meeting with ${meeting.met_with}`}
        onClick={() => accept.mutate({ clientId, meeting, answer: 'accepted' })}
      >
        {answer === null ? 'Accept' : 'Accept after all'}
      </Button>
      {answer === null && (
        <Button
          variant="secondary"
          size="sm"
          className="max-sm:min-h-11"
          aria-label={`Dispute the meeting with ${meeting.met_with}`}
          onClick={() => setMeetingToDispute(meeting)}
        >
          Dispute
        </Button>
      )}
      <p className="measure min-w-60 flex-1 text-sm text-muted">
        {`Once accepted, the ${outcome === 'held' ? 'meeting counts and' : 'no-show'} can no longer be changed.${until}`}
      </p>
      {meetingToDispute && (
        <DisputeDialog
          clientId={clientId}
          meeting={meetingToDispute}
          focusAfter={focusAfter}
          onClose={() => setMeetingToDispute(null)}
        />
      )}
    </div>
  );
}

function TeamActions({ client, meeting, focusAfter }: Omit<MeetingRowProps, 'isTeam' | 'canAnswer' | 'id'>) {
  const trigger = useRef<HTMLButtonElement>(null);
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const { id } = meeting;
  const name = meetingName(meeting);
  const remove = useMutationWithToasts(deleteMeetingMutation, {
    success: 'Meeting deleted successfully',
    failure: 'Could not delete the meeting',
  });
  return (
    <>
      <ActionsMenu ref={trigger} aria-label={`Actions for the meeting with ${name}`}>
        <DropdownItem onSelect={() => setDialog('edit')}>
          <Pencil aria-hidden="true" />
          Edit
        </DropdownItem>
        {meeting.answer === null && (
          <DropdownItem destructive onSelect={() => setDialog('delete')}>
            <Trash2 aria-hidden="true" />
            Delete
          </DropdownItem>
        )}
      </ActionsMenu>
      {dialog === 'edit' && <MeetingDialog client={client} meeting={meeting} focusAfter={trigger} onClose={close} />}
      <ConfirmDialog
        open={dialog === 'delete'}
        onOpenChange={close}
        title="Delete this meeting?"
        description={`The meeting with ${name} will be permanently deleted, including from the client’s dashboard and figures.`}
        confirmLabel="Delete"
        destructive
        loading={remove.isPending}
        focusAfter={focusAfter}
        onConfirm={() => remove.mutate({ clientId: client.id, id }, { onSettled: close })}
      />
    </>
  );
}
