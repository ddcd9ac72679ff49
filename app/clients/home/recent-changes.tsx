import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useState } from 'react';
import { addDays, formatDay } from '../../ui/lib/zoned-times.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { changesQuery } from '../client-home.ts';
import type { Campaign, Client } from '../clients.ts';
import { currentDate } from '../figures/progress.ts';
import { formatChange } from '../reports/report-texts.ts';

/** Maximum number of lines per list on phones and on wide screens. */
const MAX_LINES = [2, 5] as const;
/** Number of days in which a change counts as recent. */
const RECENT_DAYS = 14;

/** Lists recent changes for a client and the next steps of its campaigns. */
export function RecentChanges({ client }: { client: Client }) {
  const [today] = useState(() => currentDate(client, new Date().toISOString()));
  const days = { first: addDays(today, 1 - RECENT_DAYS), last: today };
  const { data: changes, error, isPending, refetch } = useQuery(changesQuery(client.id, days));
  const next = client.campaigns.filter(({ phase, next_step }) => phase !== 'done' && next_step !== '');
  return (
    <>
      {isPending && <Skeleton className="my-2 h-12" />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {changes && changes.length > 0 && (
        <HomeList title="What we changed" hiddenPart="in the last two weeks">
          {changes.map((change) => (
            <Line key={`${change.kind} ${change.name} ${change.day}`} text={formatChange(change)} day={change.day} />
          ))}
        </HomeList>
      )}
      <HomeList title="Next steps" hiddenPart="under Campaigns">
        {next.map((campaign: Campaign) => (
          <Line key={campaign.id} text={campaign.next_step} day={campaign.due_on} />
        ))}
      </HomeList>
    </>
  );
}

interface HomeListProps {
  title: string;
  /** Describes the hidden lines, such as 'under Campaigns'. */
  hiddenPart: string;
  children: React.ReactNode[];
}

function HomeList({ title, hiddenPart, children }: HomeListProps) {
  return (
    <div className="grid grid-cols-1 py-2 lg:gap-1 lg:py-3.5">
      <h3 className="text-[0.9375rem] font-semibold">{title}</h3>
      {children.length === 0 && <p className="text-sm text-muted">Nothing planned yet.</p>}
      <ul className="grid grid-cols-1 empty:hidden lg:gap-1.5 max-lg:[&>:nth-child(n+3)]:hidden">
        {children.slice(0, MAX_LINES[1])}
      </ul>
      {MAX_LINES.map((shown, index) => (
        <p key={shown} className={clsx('text-sm text-muted empty:hidden', index === 0 ? 'lg:hidden' : 'max-lg:hidden')}>
          {children.length > shown && `And ${children.length - shown} more ${hiddenPart}`}
        </p>
      ))}
    </div>
  );
}

function Line({ text, day }: { text: string; day: string | null }) {
  return (
    <li className="flex items-baseline justify-between gap-3 text-[0.9375rem]">
      <span className="min-w-0 wrap-anywhere max-lg:truncate lg:line-clamp-2">{text}</span>
      {day && (
        <time dateTime={day} className="shrink-0 text-sm text-muted">
          {formatDay(day, { day: 'numeric', month: 'short' })}
        </time>
      )}
    </li>
  );
}
