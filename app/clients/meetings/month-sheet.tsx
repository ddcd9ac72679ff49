import { useQuery } from '@tanstack/react-query';
import { Download, Printer } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { download } from '../../ui/lib/download.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { usePrintTheme } from '../../ui/use-print-theme.ts';
import type { Client } from '../clients.ts';
import { LABELS, STATES } from './meeting-details.ts';
import { type ClosedMonth, formatMonth, type MeetingSheet, meetingSheetQuery, sheetCsv } from './meeting-months.ts';

interface MonthSheetProps {
  client: Pick<Client, 'id' | 'name'>;
  month: ClosedMonth;
  onClose: () => void;
}

/** Shows the meetings of a closed month as they were when the month was closed. */
export function MonthSheet({ client, month: { first_day, hash }, onClose }: MonthSheetProps) {
  const { data, error, isPending, refetch } = useQuery(meetingSheetQuery(client.id, first_day));
  const name = formatMonth(first_day);
  usePrintTheme();
  return (
    <Sheet
      open
      onOpenChange={onClose}
      title={`Meetings in ${name}`}
      className="w-full gap-6 p-6 sm:w-lg print:space-y-6"
      isPrinted
    >
      <div className="pr-10">
        <p className="hidden text-muted print:block">{client.name}</p>
        <h2 className="text-display-3">{`Meetings in ${name}`}</h2>
      </div>
      {isPending && <Skeleton className="h-40 rounded-md" />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {data && (
        <>
          <div className="flex flex-wrap gap-2 print:hidden">
            <Button
              variant="secondary"
              size="sm"
              icon={Download}
              onClick={() => download(sheetCsv(data), `meetings-${first_day.slice(0, 7)}.csv`, 'text/csv')}
            >
              Download CSV
            </Button>
            <Button variant="secondary" size="sm" icon={Printer} onClick={() => window.print()}>
              Print
            </Button>
          </div>
          {data.meetings.length === 0 && <p className="text-muted">No meetings count in this month.</p>}
          <ol className="grid grid-cols-1 divide-y divide-line">
            {data.meetings.map((meeting) => (
              <SheetRow key={meeting.id} meeting={meeting} timeZone={data.time_zone} />
            ))}
          </ol>
        </>
      )}
      <p className="break-inside-avoid text-sm text-muted [overflow-wrap:anywhere]">
        <span>SHA-256 of the sheet: </span>
        <code className="font-mono text-xs">{hash}</code>
      </p>
    </Sheet>
  );
}

function SheetRow({ meeting, timeZone }: { meeting: MeetingSheet['meetings'][number]; timeZone: string }) {
  const { starts_at, met_with, campaign, answer, criteria } = meeting;
  const day = new Date(starts_at).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone });
  const details = [day, campaign, answer === 'accepted' ? 'accepted' : 'not disputed'];
  return (
    <li className="grid break-inside-avoid grid-cols-1 gap-1 py-3 [overflow-wrap:anywhere]">
      <p>{met_with}</p>
      <p className="text-sm text-muted">{details.filter(Boolean).join(', ')}</p>
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
