import { useState } from 'react';
import { formatTime } from '../../ui/lib/format-time.ts';
import { CHANGES, criterionLabel } from './meeting-details.ts';
import type { Meeting } from './meetings.ts';

/** Lists a meeting's outcomes and the client's answers, newest first. Renders nothing for a single entry. */
export function MeetingHistory({ meeting }: { meeting: Meeting }) {
  const [isOpen, setOpen] = useState(false);
  const { changes, judgement } = meeting.details;
  if (changes.length < 2) return null;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit cursor-pointer rounded-sm text-sm text-muted hover:text-ink">History</summary>
      {isOpen && (
        <ol aria-label="History" className="grid gap-3 pt-3 text-sm">
          {changes.map(({ number, status, reason, criterion, at, by }) => (
            <li key={number}>
              <p>
                <span className="font-medium">{CHANGES[status]}</span>
                {by !== '' && <span>{`, ${by}`}</span>}
                <time className="text-muted" dateTime={at}>{`, ${formatTime(at)}`}</time>
              </p>
              {status === 'disputed' && (
                <p className="text-muted whitespace-pre-line [overflow-wrap:anywhere]">
                  {[criterion && criterionLabel(criterion, judgement), reason].filter(Boolean).join(' ')}
                </p>
              )}
            </li>
          ))}
        </ol>
      )}
    </details>
  );
}
