import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { download } from '../../ui/lib/download.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { Client } from '../clients.ts';
import { LABELS, STATES } from './meeting-details.ts';
import { type ClosedMonth, formatMonth, type MeetingSheet, meetingSheetQuery, sheetCsv } from './meeting-months.ts';

interface MonthSheetProps {
  client: Pick<Client, 'id' | 'name'>;
  month: ClosedMonth;
  onClose: () => void;
}

/** The meetings of a closed month as they were when it was closed. */
export function MonthSheet({ client, month: { first_day, hash }, onClose }: MonthSheetProps) {
  const { data, error, isPending, refetch } = useQuery(meetingSheetQuery(client.id, first_day));
  const name = formatMonth(first_day);
  return (
    <Sheet open onOpenChange={onClose} title={`Meetings in ${name}`} className="w-full gap-6 p-6 sm:w-lg">
      <h2 className="pr-10 text-display-3">{`Meetings in ${name}`}</h2>
      {isPending && <Skeleton className="h-40 rounded-md" />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {data && (
        <>
          <Button
            variant="secondary"
            size="sm"
            className="justify-self-start self-start"
            onClick={() => download(sheetCsv(data), `meetings-${first_day.slice(0, 7)}.csv`, 'text/csv')}
          >
            <Download aria-hidden="true" />
            Download CSV
          </Button>
          {data.meetings.length === 0 && <p className="text-muted">No meeting counted in this month.</p>}
          <ol className="grid grid-cols-1 divide-y divide-line">
            {data.meetings.map((meeting) => (
              <SheetRow key={meeting.id} meeting={meeting} timeZone={data.time_zone} />
            ))}
          </ol>
        </>
      )}
      <p className="text-sm text-muted [overflow-wrap:anywhere]">
        <span>SHA-256 of the sheet: </span>
        <code className="font-mono text-xs">{hash}</code>
      </p>
    </Sheet>
  );
}

function SheetRow({ meeting, timeZone }: { meeting: MeetingSheet['meetings'][number]; timeZone: string }) {
  const { starts_at, met_with, campaign, answer, criteria } = meeting;
  const day = new Date(starts_at).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone });
  const facts = [day, campaign, answer === 'accepted' ? 'accepted' : 'not disputed'];
  return (
    <li className="grid grid-cols-1 gap-1 py-3 [overflow-wrap:anywhere]">
      <p>{met_with}</p>
      <p className="text-sm text-muted">{facts.filter(Boolean).join(', ')}</p>
      {criteria && (
        <p className="text-sm text-muted">
          {`Criteria, version ${criteria.number}: ${criteria.results
            .map(({ key, state }) => `${LABELS[key].toLowerCase()} ${STATES[state].toLowerCase()}`)
            .join(', ')}`}
        </p>
      )}
    </li>
  );
}
