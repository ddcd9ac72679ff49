import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { formatTime } from '../../ui/lib/format-time.ts';
import { LoadError } from '../../ui/load-error.tsx';
import type { Client } from '../clients.ts';
import { CloseMonthDialog } from './close-month-dialog.tsx';
import { type ClosedMonth, formatMonth, meetingMonthsQuery } from './meeting-months.ts';
import { MonthSheet } from './month-sheet.tsx';

interface MeetingMonthsProps {
  client: Pick<Client, 'id' | 'name'>;
  isTeam: boolean;
  headingLevel: 2 | 3 | 4;
}

const HEADINGS = { 2: 'h3', 3: 'h4', 4: 'h5' } as const;

/** Lists closed months with their sheets. Hidden until a month has been closed or can be closed by the team. */
export function MeetingMonths({ client, isTeam, headingLevel }: MeetingMonthsProps) {
  const Heading = HEADINGS[headingLevel];
  const heading = useRef<HTMLHeadingElement>(null);
  const [isClosing, setClosing] = useState(false);
  const [opened, setOpened] = useState<ClosedMonth | null>(null);
  const { data, error, refetch } = useQuery(meetingMonthsQuery(client.id));
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!data || (data.closed.length === 0 && data.open.length === 0)) return null;
  return (
    <Card className="grid grid-cols-1 gap-4 p-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Heading ref={heading} tabIndex={-1} className="font-medium">
          Closed months
        </Heading>
        {isTeam && data.open.length > 0 && (
          <Button
            variant="secondary"
            size="sm"
            aria-label={`Close a month for ${client.name}`}
            onClick={() => setClosing(true)}
          >
            Close a month
          </Button>
        )}
      </div>
      {data.closed.length === 0 && (
        <p className="measure text-muted">
          No months have been closed yet. Closing a month freezes its meetings as the basis of an invoice.
        </p>
      )}
      {data.closed.length > 0 && (
        <ul className="grid grid-cols-1 divide-y divide-line">
          {data.closed.map((month) => (
            <MonthRow key={month.first_day} month={month} onOpen={() => setOpened(month)} />
          ))}
        </ul>
      )}
      {isClosing && (
        <CloseMonthDialog client={client} months={data.open} focusAfter={heading} onClose={() => setClosing(false)} />
      )}
      {opened && <MonthSheet client={client} month={opened} onClose={() => setOpened(null)} />}
    </Card>
  );
}

function MonthRow({ month, onOpen }: { month: ClosedMonth; onOpen: () => void }) {
  const { first_day, count, closed_by, closed_at } = month;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-40 flex-1">
        <p>{`${formatMonth(first_day)}: ${count === 1 ? '1 meeting' : `${count.toLocaleString('en-GB')} meetings`}`}</p>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">
          {['Closed', closed_by && `by ${closed_by}`, formatTime(closed_at)].filter(Boolean).join(' ')}
        </p>
      </div>
      <Button variant="secondary" size="sm" aria-label={`Open the sheet of ${formatMonth(first_day)}`} onClick={onOpen}>
        Open the sheet
      </Button>
    </li>
  );
}
