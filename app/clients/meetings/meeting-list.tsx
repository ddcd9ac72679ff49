import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { Client } from '../clients.ts';
import { MeetingDialog } from './meeting-dialog.tsx';
import { MeetingMonths } from './meeting-months.tsx';
import { MeetingRow } from './meeting-row.tsx';
import { isAwaitingAnswer, type Meeting, meetingQuery, meetingsQuery } from './meetings.ts';

/** Meetings shown while collapsed, in addition to all meetings that are disputed or need an answer or a result. */
const COLLAPSED_MEETINGS = 3;

const SUB_HEADINGS = { 2: 'h3', 3: 'h4', 4: 'h5' } as const;

interface MeetingsProps {
  client: Pick<Client, 'id' | 'name' | 'currency' | 'campaigns'>;
  /** True for team members, who manage meetings. Client members accept or dispute meetings. */
  isTeam?: boolean;
  /** True in the impersonated view. Omits the section label to avoid duplicate landmarks. */
  isImpersonated?: boolean;
  canAnswer?: boolean;
  headingLevel: 2 | 3 | 4;
}

const NO_MEETINGS = {
  team: 'No meetings yet. Imports and events add them, or you can add one yourself. The client accepts or disputes each of them within 14 days.',
  client: 'No meetings yet. Meetings from your campaigns appear here, and you accept or dispute each of them.',
};

/** Meetings that campaigns produced for a client. */
export function Meetings({
  client,
  isTeam = false,
  isImpersonated = false,
  canAnswer = false,
  headingLevel,
}: MeetingsProps) {
  const Heading = `h${headingLevel}` as const;
  const SubHeading = SUB_HEADINGS[headingLevel];
  const heading = useRef<HTMLHeadingElement>(null);
  const [page, setPage] = useState(1);
  const [showsAll, setShowsAll] = useState(false);
  const [isAdding, setAdding] = useState(false);
  const { data, error, isPending, refetch } = useQuery(meetingsQuery(client.id, page));
  const awaited = data?.items.filter(({ details }) => details.result.is_awaited).length ?? 0;
  const disputed = data?.items.filter(({ answer }) => answer === 'disputed').length ?? 0;
  const listed = showsAll ? data?.items : data?.items.slice(0, data.waiting + disputed + awaited + COLLAPSED_MEETINGS);
  const visibleMeetings = useWithLinkedMeeting(client.id, listed, isImpersonated) ?? [];
  const groups = groupsOf(visibleMeetings, isTeam);
  return (
    <section aria-label={isImpersonated ? undefined : `Meetings, ${client.name}`} className="grid grid-cols-1 gap-5">
      <Card className="grid grid-cols-1 gap-4 p-5">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <Heading
            ref={heading}
            tabIndex={-1}
            className={headingLevel === 4 ? 'scroll-mt-24 font-medium' : 'scroll-mt-24 text-lg font-semibold'}
          >
            Meetings
          </Heading>
          {!isTeam && awaited > 0 && (
            <Badge tone="warning">{awaited === 1 ? 'One needs a result' : `${awaited} need a result`}</Badge>
          )}
          {isTeam && (
            <Button size="sm" aria-label={`Add a meeting for ${client.name}`} onClick={() => setAdding(true)}>
              <Plus aria-hidden="true" />
              Add
            </Button>
          )}
        </div>
        {isPending && <Skeleton className="h-16 rounded-md" />}
        {error && <LoadError error={error} onRetry={() => void refetch()} />}
        {data?.count === 0 && page === 1 && (
          <p className="measure text-muted">{NO_MEETINGS[isTeam ? 'team' : 'client']}</p>
        )}
        {data &&
          groups.map(
            ([title, meetings]) =>
              meetings.length > 0 && (
                <div key={title} className={clsx(title !== '' && 'rounded-md bg-warning-soft/50 px-3 pt-3 sm:px-4')}>
                  {title !== '' && <SubHeading className="text-sm font-semibold text-warning">{title}</SubHeading>}
                  <ul className="grid grid-cols-1 divide-y divide-line">
                    {meetings.map((meeting) => (
                      <MeetingRow
                        key={meeting.id}
                        client={client}
                        meeting={meeting}
                        isTeam={isTeam}
                        canAnswer={canAnswer}
                        id={isImpersonated ? undefined : `meeting-${meeting.id}`}
                        focusAfter={heading}
                      />
                    ))}
                  </ul>
                </div>
              ),
          )}
        {data && listed && data.count > listed.length && !showsAll && (
          <Button variant="link" className="justify-self-start" onClick={() => setShowsAll(true)}>
            {`Show all ${data.count.toLocaleString('en-GB')} meetings`}
          </Button>
        )}
        {showsAll && <Pagination page={page} count={data?.count} onPageChange={setPage} />}
      </Card>
      <MeetingMonths client={client} isTeam={isTeam} headingLevel={headingLevel} />
      {isAdding && <MeetingDialog client={client} onClose={() => setAdding(false)} />}
    </section>
  );
}

/** Prepends the meeting that the URL links to, unless it is already visible. */
function useWithLinkedMeeting(clientId: string, visibleMeetings: Meeting[] | undefined, isImpersonated: boolean) {
  const linkedId = useLocation({ select: ({ hash }) => /^meeting-(.+)$/.exec(hash)?.[1] });
  const isMissing = linkedId !== undefined && !isImpersonated && visibleMeetings?.every(({ id }) => id !== linkedId);
  const { data: linked } = useQuery({ ...meetingQuery(clientId, linkedId ?? ''), enabled: isMissing === true });
  return visibleMeetings && isMissing && linked ? [linked, ...visibleMeetings] : visibleMeetings;
}

/**
 * Returns the meetings that need the client's answer, with a title, and the others. Meetings that need a result are
 * among the others, so that a report does not move the row and its focused button.
 */
function groupsOf(meetings: readonly Meeting[], isTeam: boolean): [title: string, meetings: Meeting[]][] {
  const unanswered = meetings.filter(isAwaitingAnswer);
  const count = unanswered.length === 1 ? 'One needs' : `${unanswered.length} need`;
  return [
    [`${count} ${isTeam ? 'the client’s' : 'your'} answer`, unanswered],
    ['', meetings.filter((meeting) => !isAwaitingAnswer(meeting))],
  ];
}
