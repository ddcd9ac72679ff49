import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Client } from '../data/clients/clients.ts';
import { sumsQuery } from '../data/figures/figures.ts';
import { METRICS, type Metric } from '../data/figures/metrics.ts';
import {
  changeInWords,
  daysOfProgress,
  formatCount,
  goalInWords,
  type Period,
  periodInWords,
  progressOf,
  todayOf,
  weekInWords,
} from '../data/figures/progress.ts';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { LoadError } from '../ui/load-error.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { BehindDialog } from './behind-dialog.tsx';
import { WeekLine } from './week-line.tsx';

const SHOWN = ['meetings', 'replies', 'delivered'] as const;

/** Figures of a client: the latest week against the one before and against the month's goal. Every figure opens. */
export function ClientProgress({ client }: { client: Client }) {
  const [now] = useState(() => new Date().toISOString());
  const { data: sums, error, isPending, refetch } = useQuery(sumsQuery(client.id, SHOWN, daysOfProgress(client, now)));
  const [opened, setOpened] = useState<{ metric: Metric; period: Period; title: string } | null>(null);
  const weeks = sums && progressOf(sums, 'meetings', client, now).weeks;
  const week = weeks?.at(-1);
  const title = week && weekInWords(week, todayOf(client, now), client);
  return (
    <section aria-label={`How it goes for ${client.name}`} className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 className="text-lg font-semibold">How it goes</h3>
        {week && (
          <p className="font-mono text-label text-muted">
            {title}, {periodInWords(week)}
          </p>
        )}
      </div>
      {isPending && <Skeleton className="h-32 rounded-lg" />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {weeks?.length === 0 && (
        <EmptyState
          className="bg-surface"
          title="Your figures will stand here"
          description="Once a campaign runs you read here, week by week, how many messages arrived, how many people answered and how many meetings were booked. Every figure opens, down to the row that it comes from."
        />
      )}
      {sums && week && title && (
        <ul className="grid grid-cols-1 gap-3 sm:grid-cols-3">
          {SHOWN.map((metric) => (
            <li key={metric}>
              <MetricCard
                metric={metric}
                progress={progressOf(sums, metric, client, now)}
                goal={client[`${metric}_goal`]}
                weekTitle={title}
                onOpen={(period, words) => setOpened({ metric, period, title: words })}
              />
            </li>
          ))}
        </ul>
      )}
      {opened && <BehindDialog clientId={client.id} {...opened} onClose={() => setOpened(null)} />}
    </section>
  );
}

interface MetricCardProps {
  metric: Metric;
  progress: ReturnType<typeof progressOf>;
  goal: number | null;
  /** 'Last week' */
  weekTitle: string;
  onOpen: (period: Period, title: string) => void;
}

function MetricCard({ metric, progress, goal, weekTitle, onOpen }: MetricCardProps) {
  const { label } = METRICS[metric];
  const week = progress.weeks.at(-1);
  const goalWords = goalInWords(progress, goal);
  return (
    <Card className="grid h-full grid-cols-[minmax(0,1fr)_auto] content-start gap-x-4 gap-y-1 px-5 py-3.5 sm:p-5">
      <h4 className="font-mono text-label text-muted">{label}</h4>
      <div className="row-span-2 self-end">
        <WeekLine label={label} weeks={progress.weeks} />
      </div>
      {week?.isKnown ? (
        <button
          type="button"
          aria-label={`${label}, ${weekTitle.toLowerCase()}: ${formatCount(week.value)}. Show the rows`}
          className="justify-self-start rounded-sm text-display-3 underline decoration-line-strong decoration-dotted decoration-2 underline-offset-6 hover:decoration-current"
          onClick={() => onOpen(week, weekTitle)}
        >
          {formatCount(week.value)}
        </button>
      ) : (
        <p className="text-display-3 text-muted">–</p>
      )}
      <p className="col-span-2 text-sm sm:mt-1 sm:text-[0.9375rem]">{changeInWords(progress)}</p>
      {goalWords && (
        <p className="col-span-2 text-sm sm:text-[0.9375rem]">
          <button
            type="button"
            className="rounded-sm text-left text-muted underline decoration-line-strong decoration-dotted underline-offset-4 hover:text-ink hover:decoration-current"
            onClick={() => onOpen(progress.month, 'This month')}
          >
            {goalWords}
          </button>
        </p>
      )}
    </Card>
  );
}
