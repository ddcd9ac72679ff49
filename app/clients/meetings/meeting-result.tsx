import { type RefObject, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { formatTime } from '../../ui/lib/format-time.ts';
import type { Client } from '../clients.ts';
import { meetingName } from './meeting-details.ts';
import type { Meeting } from './meetings.ts';
import { ReportResultDialog } from './report-result-dialog.tsx';
import { formatReport } from './result-form.ts';

interface MeetingResultProps {
  client: Pick<Client, 'id' | 'currency'>;
  meeting: Meeting;
  /** True for approvers and the team. */
  canReport: boolean;
  /** Receives keyboard focus after a report if the row moved to another page. */
  focusAfter: RefObject<HTMLElement | null>;
}

/** Shows the latest result of a held meeting, earlier results, and a button to report a result. */
export function MeetingResult({ client, meeting, canReport, focusAfter }: MeetingResultProps) {
  // Keep the displayed meeting, because a refetch may change the meeting while the dialog is open.
  const [meetingToReport, setMeetingToReport] = useState<Meeting | null>(null);
  const { reports, is_awaited } = meeting.details.result;
  const [latest, ...earlier] = reports;
  return (
    <div className="grid grid-cols-1 gap-2 text-sm">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="[overflow-wrap:anywhere]">
          <span className="text-muted">Result: </span>
          <span className="font-medium">{latest ? formatReport(latest, client.currency) : 'Not reported'}</span>
          {latest && latest.by !== '' && <span className="text-muted">{`, ${latest.by}`}</span>}
          {latest && <time className="text-muted" dateTime={latest.at}>{`, ${formatTime(latest.at)}`}</time>}
        </p>
        {canReport && (
          <Button
            variant={is_awaited ? 'secondary' : 'link'}
            size="sm"
            aria-label={`Report result of the meeting with ${meetingName(meeting)}`}
            onClick={() => setMeetingToReport(meeting)}
          >
            Report result
          </Button>
        )}
      </div>
      {latest && latest.reason !== '' && (
        <p className="measure text-muted whitespace-pre-line [overflow-wrap:anywhere]">{latest.reason}</p>
      )}
      {earlier.length > 0 && (
        <details>
          <summary className="w-fit cursor-pointer rounded-sm text-muted hover:text-ink">Earlier results</summary>
          <ol aria-label="Earlier results" className="grid gap-2 pt-2">
            {earlier.map((report) => (
              <li key={report.number} className="[overflow-wrap:anywhere]">
                <span className="font-medium">{formatReport(report, client.currency)}</span>
                {report.reason !== '' && <span>{`, ${report.reason}`}</span>}
                <span className="text-muted">{report.by !== '' && `, ${report.by}`}</span>
                <time className="text-muted" dateTime={report.at}>{`, ${formatTime(report.at)}`}</time>
              </li>
            ))}
          </ol>
        </details>
      )}
      {meetingToReport && (
        <ReportResultDialog
          client={client}
          meeting={meetingToReport}
          focusAfter={focusAfter}
          onClose={() => setMeetingToReport(null)}
        />
      )}
    </div>
  );
}
