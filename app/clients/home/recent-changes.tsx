import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { addDays, formatDay } from '../../ui/lib/zoned-times.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { changesQuery } from '../client-home.ts';
import type { Campaign, Client } from '../clients.ts';
import { todayOf } from '../figures/progress.ts';
import { formatChange } from '../reports/sheet.ts';

/** Lines shown per list. */
const SHOWN = 2;
/** A change counts as recent for this number of days. */
const RECENT_DAYS = 14;

/** Recent changes for a client and the next steps of its campaigns. */
export function RecentChanges({ client }: { client: Client }) {
  const [today] = useState(() => todayOf(client, new Date().toISOString()));
  const days = { first: addDays(today, 1 - RECENT_DAYS), last: today };
  const { data: changes, error, isPending, refetch } = useQuery(changesQuery(client.id, days));
  const next = client.campaigns.filter(({ phase, next_step }) => phase !== 'done' && next_step !== '');
  return (
    <>
      {isPending && <Skeleton className="my-2 h-12" />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {changes && changes.length > 0 && (
        <HomeList title="What we changed" more={moreLabel(changes.length, 'in these two weeks')}>
          {changes.slice(0, SHOWN).map((change) => (
            <Line key={`${change.kind} ${change.name} ${change.day}`} text={formatChange(change)} day={change.day} />
          ))}
        </HomeList>
      )}
      {next.length > 0 && (
        <HomeList title="Next steps" more={moreLabel(next.length, 'under Campaigns')}>
          {next.slice(0, SHOWN).map((campaign: Campaign) => (
            <Line key={campaign.id} text={campaign.next_step} day={campaign.due_on} />
          ))}
        </HomeList>
      )}
    </>
  );
}

/** Label such as 'And 3 more under Campaigns', or null if all are shown. */
function moreLabel(count: number, where: string): string | null {
  return count > SHOWN ? `And ${count - SHOWN} more ${where}` : null;
}

interface HomeListProps {
  title: string;
  /** Label for hidden lines, or null if all are shown. */
  more: string | null;
  children: React.ReactNode[];
}

function HomeList({ title, more, children }: HomeListProps) {
  return (
    <div className="grid grid-cols-1 py-2">
      <h3 className="text-[0.9375rem] font-semibold">{title}</h3>
      <ul className="grid grid-cols-1">{children}</ul>
      {more && <p className="text-sm text-muted">{more}</p>}
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
