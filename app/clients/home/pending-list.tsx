import { useMutation, useQuery } from '@tanstack/react-query';
import { CalendarCheck, ChevronDown, FileText, Quote } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { formatDay } from '../../ui/lib/zoned-times.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ApprovalCard } from '../approvals/approval-card.tsx';
import { approvalsQuery } from '../approvals/approvals.ts';
import { type Home, noteReadMutation, type PendingItem } from '../client-home.ts';
import type { Client } from '../clients.ts';
import { todayOf } from '../figures/progress.ts';
import { QuoteRow } from '../figures/quote-row.tsx';
import { quotesQuery } from '../figures/quotes.ts';
import { MeetingRow } from '../meetings/meeting-row.tsx';
import { meetingsQuery } from '../meetings/meetings.ts';

const ICONS = { approval: FileText, meeting: CalendarCheck, quote: Quote };

/** Lines shown before expanding. */
const FIRST = 3;

interface PendingListProps {
  client: Client;
  home: Home;
  isImpersonated: boolean;
  isApprover: boolean;
}

/** Pending items of a client by due date. A line expands in place. */
export function PendingList({ client, home, isImpersonated, isApprover }: PendingListProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? home.waiting : home.waiting.slice(0, FIRST);
  const rest = home.waiting_count - shown.length;
  const showAll = () => {
    setShowsAll(true);
    // The pressed button is removed, so move focus.
    heading.current?.focus({ preventScroll: true });
  };
  return (
    <section
      aria-label={isImpersonated ? undefined : `Waiting for you, ${client.name}`}
      className="grid grid-cols-1 gap-1.5"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h3 ref={heading} tabIndex={-1} className="scroll-mt-24 text-lg font-semibold">
          Waiting for you
        </h3>
        {rest > 0 && !showsAll && (
          <Button variant="link" onClick={showAll}>
            {`Show ${rest.toLocaleString('en-GB')} more`}
          </Button>
        )}
      </div>
      {home.waiting.length === 0 && <p className="text-muted">Nothing needs your answer.</p>}
      {shown.length > 0 && (
        <Card>
          <ul className="grid grid-cols-1 divide-y divide-line">
            {shown.map((item) => (
              <PendingLine
                key={item.id}
                client={client}
                item={item}
                isImpersonated={isImpersonated}
                isApprover={isApprover}
                focusAfter={heading}
              />
            ))}
          </ul>
        </Card>
      )}
      {rest > 0 && showsAll && <p className="text-sm text-muted">See Approvals and Meetings for the rest.</p>}
    </section>
  );
}

interface PendingLineProps extends Omit<PendingListProps, 'home'> {
  item: PendingItem;
  /** Receives keyboard focus when an answered line is removed. */
  focusAfter: RefObject<HTMLElement | null>;
}

function PendingLine({ client, item, isImpersonated, isApprover, focusAfter }: PendingLineProps) {
  const [isOpen, setOpen] = useState(false);
  const [today] = useState(() => todayOf(client, new Date().toISOString()));
  const { mutate: noteRead } = useMutation(noteReadMutation);
  const Icon = ICONS[item.kind];
  const isLate = item.due_on !== null && item.due_on < today;
  const open = () => {
    setOpen(!isOpen);
    if (!isOpen && !isImpersonated && item.kind === 'approval') noteRead({ clientId: client.id, approvals: [item.id] });
  };
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        className="flex min-h-11 w-full items-center gap-3 rounded-lg px-4 text-left hover:bg-sunken sm:px-5"
        onClick={open}
      >
        <Icon aria-hidden="true" className="size-4.5 shrink-0 text-accent" />
        <span className="min-w-0 flex-1 truncate">{titleOf(item)}</span>
        {item.due_on && (
          <span className={isLate ? 'shrink-0 text-sm text-warning' : 'shrink-0 text-sm text-muted'}>
            {`${isLate ? 'was due' : 'by'} ${formatDay(item.due_on, { day: 'numeric', month: 'short' })}`}
          </span>
        )}
        <ChevronDown
          aria-hidden="true"
          className={`size-4.5 shrink-0 text-muted transition-transform duration-150 ${isOpen ? 'rotate-180' : ''}`}
        />
      </button>
      {isOpen && (
        <div className="px-4 pt-3 pb-4 sm:px-5">
          {item.kind === 'quote' && (
            <OpenQuote client={client} id={item.id} canAnswer={isApprover} focusAfter={focusAfter} />
          )}
          {item.kind === 'approval' && (
            <OpenApproval
              client={client}
              id={item.id}
              canDecide={isApprover}
              canComment={!isImpersonated}
              focusAfter={focusAfter}
            />
          )}
          {item.kind === 'meeting' && (
            <OpenMeeting client={client} id={item.id} canAnswer={isApprover} focusAfter={focusAfter} />
          )}
        </div>
      )}
    </li>
  );
}

function titleOf({ kind, title }: PendingItem): string {
  if (kind === 'meeting') return `Meeting with ${title}`;
  return kind === 'quote' ? `May we quote “${title}”?` : title;
}

interface OpenProps {
  client: Client;
  id: string;
  focusAfter: RefObject<HTMLElement | null>;
}

interface OpenApprovalProps extends OpenProps {
  canDecide: boolean;
  canComment: boolean;
}

/** Pending approvals are always on the first page. */
function OpenApproval({ client, id, ...permissions }: OpenApprovalProps) {
  const { data, error, isPending, refetch } = useQuery(approvalsQuery(client.id, 1));
  if (isPending) return <Skeleton className="h-24 rounded-lg" />;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  const approval = data.items.find((candidate) => candidate.id === id);
  if (!approval) return <p className="text-muted">This no longer needs your answer.</p>;
  return <ApprovalCard {...permissions} client={client} approval={approval} isTeam={false} headingLevel={3} />;
}

function OpenMeeting({ client, id, canAnswer, focusAfter }: OpenProps & { canAnswer: boolean }) {
  const { data, error, isPending, refetch } = useQuery(meetingsQuery(client.id, 1));
  if (isPending) return <Skeleton className="h-16 rounded-lg" />;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  const meeting = data.items.find((candidate) => candidate.id === id);
  if (!meeting) return <p className="text-muted">This no longer needs your answer.</p>;
  return (
    <ul>
      <MeetingRow {...{ client, meeting, canAnswer, focusAfter }} isTeam={false} />
    </ul>
  );
}

function OpenQuote({ client, id, canAnswer, focusAfter }: OpenProps & { canAnswer: boolean }) {
  const { data, error, isPending, refetch } = useQuery(quotesQuery(client.id));
  if (isPending) return <Skeleton className="h-16 rounded-lg" />;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  const quote = data.find((candidate) => candidate.id === id);
  if (!quote) return <p className="text-muted">This no longer needs your answer.</p>;
  return (
    <ul>
      <QuoteRow {...{ client, quote, canAnswer, focusAfter }} />
    </ul>
  );
}
