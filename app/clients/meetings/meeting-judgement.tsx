import { Badge } from '../../ui/badge.tsx';
import { criterionSentences, parseCriteria } from '../approvals/criteria.ts';
import { formatFact, type Judgement, STATES } from './meeting-details.ts';
import type { Meeting } from './meetings.ts';

const TONES = { met: 'accent', not_met: 'warning', unknown: 'neutral' } as const;

interface MeetingJudgementProps {
  meeting: Meeting;
  judgement: Judgement;
}

/** Lists the criteria in force and whether the meeting meets each of them. */
export function MeetingJudgement({ meeting, judgement: { number, text, results } }: MeetingJudgementProps) {
  const sentences = criterionSentences(parseCriteria(text));
  return (
    <details>
      <summary className="w-fit cursor-pointer rounded-sm text-sm text-muted hover:text-ink">
        {`Criteria, version ${number}: ${formatCounts(results)}`}
      </summary>
      <ul aria-label="Criteria" className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-2 pt-3 text-sm">
        {sentences.map(({ key, sentence }) => {
          const state = results.find((result) => result.key === key)?.state ?? 'unknown';
          const fact = formatFact(key, meeting.details);
          return (
            <li key={key} className="col-span-2 grid grid-cols-subgrid items-baseline justify-items-start">
              <Badge tone={TONES[state]}>{STATES[state]}</Badge>
              <div className="flex min-w-0 flex-wrap gap-x-3 [overflow-wrap:anywhere]">
                <span>{sentence}</span>
                <span className="text-muted empty:hidden">{fact}</span>
              </div>
            </li>
          );
        })}
      </ul>
    </details>
  );
}

/** Counts the criteria by state, such as '3 met, 1 not met'. */
function formatCounts(results: Judgement['results']): string {
  return Object.entries(STATES)
    .map(([state, label]) => ({ label, count: results.filter((result) => result.state === state).length }))
    .filter(({ count }) => count > 0)
    .map(({ label, count }) => `${count} ${label.toLowerCase()}`)
    .join(', ');
}
