import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useState } from 'react';
import { HEADLINE_METRICS, METRICS, type Metric } from '../../../supabase/functions/metrics.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatDay } from '../../ui/lib/zoned-times.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { Client } from '../clients.ts';
import { FigureRowsDialog } from './figure-rows-dialog.tsx';
import { sumsQuery } from './figures.ts';
import {
  daysOfProgress,
  formatChange,
  formatCount,
  formatGoal,
  formatPeriod,
  formatWeek,
  goalOf,
  headlineOf,
  type Period,
  progressOf,
  todayOf,
} from './progress.ts';
import { Sparkline } from './sparkline.tsx';

interface ClientProgressProps {
  client: Client;
  /** True in the impersonated view. Omits the section label to avoid duplicate landmarks. */
  isImpersonated?: boolean;
}

/** Headline figures: the latest week compared with the previous one and the monthly goal. Each opens its rows. */
export function ClientProgress({ client, isImpersonated = false }: ClientProgressProps) {
  const [now] = useState(() => new Date().toISOString());
  const {
    data: sums,
    error,
    isPending,
    refetch,
  } = useQuery(sumsQuery(client.id, HEADLINE_METRICS, daysOfProgress(client, now)));
  const [opened, setOpened] = useState<{ metric: Metric; period: Period; title: string } | null>(null);
  const weeks = sums && progressOf(sums, 'meetings', client, now).weeks;
  const week = weeks?.at(-1);
  const shown = headlineOf(sums ?? [], client);
  const title = week && formatWeek(week, todayOf(client, now), client);
  return (
    <section aria-label={isImpersonated ? undefined : `Progress, ${client.name}`} className="grid grid-cols-1 gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 className="text-lg font-semibold">Progress</h3>
        {week && (
          <p className="font-mono text-label text-muted">
            {title}, {formatPeriod(week)}
          </p>
        )}
      </div>
      {isPending && <Skeleton className="h-46 rounded-lg sm:h-32" />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {weeks?.length === 0 && (
        <EmptyState
          className="bg-surface"
          title="Your figures will appear here"
          description="Once a campaign is running, you see the messages delivered, people who replied and meetings booked for each week. Select a figure to see the rows behind it."
        />
      )}
      {sums && week && title && (
        <Card>
          <ul
            className={clsx(
              'grid grid-cols-1 divide-y divide-line sm:divide-x sm:divide-y-0',
              shown.length === 4
                ? 'sm:grid-cols-2 sm:[&>*:nth-child(n+3)]:border-t lg:grid-cols-4 lg:[&>*]:border-t-0'
                : 'sm:grid-cols-3',
            )}
          >
            {shown.map((metric, index) => (
              // Three metrics fit on a phone.
              <li key={metric} className={clsx('border-line', index === 3 && 'max-sm:hidden')}>
                <MetricRow
                  metric={metric}
                  progress={progressOf(sums, metric, client, now)}
                  goal={goalOf(metric, client)}
                  weekTitle={title}
                  onOpen={(period, title) => setOpened({ metric, period, title })}
                />
              </li>
            ))}
          </ul>
        </Card>
      )}
      {opened && <FigureRowsDialog clientId={client.id} {...opened} onClose={() => setOpened(null)} />}
    </section>
  );
}

interface MetricRowProps {
  metric: Metric;
  progress: ReturnType<typeof progressOf>;
  goal: number | null;
  /** Such as 'Last week'. */
  weekTitle: string;
  onOpen: (period: Period, title: string) => void;
}

const OPENS_CLASS =
  'min-h-6 rounded-sm text-left underline decoration-line-strong decoration-dotted underline-offset-4 hover:decoration-current';

/** One metric: a row on phones, a column on wider screens. */
function MetricRow({ metric, progress, goal, weekTitle, onOpen }: MetricRowProps) {
  const { label } = METRICS[metric];
  const [before, week] = progress.weeks.slice(-2);
  const goalText = formatGoal(progress, goal);
  const month = formatDay(progress.month.first, { month: 'long' });
  return (
    <div className="grid grid-cols-[4.75rem_minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-1.5 sm:grid-cols-[minmax(0,1fr)_auto] sm:gap-y-1 sm:p-5">
      <div>
        <h4 className="font-mono text-label text-muted">{label}</h4>
        {week?.isKnown ? (
          <button
            type="button"
            aria-label={`${label}, ${weekTitle.toLowerCase()}: ${formatCount(week.value)}. Show the rows`}
            className={clsx(OPENS_CLASS, 'text-2xl leading-8 font-semibold tracking-tight sm:text-display-3')}
            onClick={() => onOpen(week, weekTitle)}
          >
            {formatCount(week.value)}
          </button>
        ) : (
          <p className="text-2xl leading-8 text-muted sm:text-display-3">–</p>
        )}
      </div>
      <div className="text-sm leading-6 sm:col-span-2 sm:row-start-2 sm:text-[0.9375rem]">
        {week?.isKnown && before?.isKnown ? (
          <button type="button" className={OPENS_CLASS} onClick={() => onOpen(before, 'The week before')}>
            <ShortOnPhones text={formatChange(progress)} hidden="the week " />
          </button>
        ) : (
          <p>{formatChange(progress)}</p>
        )}
        {goalText && (
          <p>
            <button
              type="button"
              className={clsx(OPENS_CLASS, 'text-muted hover:text-ink')}
              onClick={() => onOpen(progress.month, 'This month')}
            >
              <ShortOnPhones text={goalText} hidden={` for ${month}`} />
            </button>
          </p>
        )}
      </div>
      <Sparkline label={label} weeks={progress.weeks} className="h-6 w-16 sm:h-9 sm:w-30" />
    </div>
  );
}

interface ShortOnPhonesProps {
  text: string;
  /** Part that is visually hidden on phones. */
  hidden: string;
}

function ShortOnPhones({ text, hidden }: ShortOnPhonesProps) {
  const [start, end] = text.split(hidden);
  if (end === undefined) return text;
  return (
    <>
      {start}
      <span className="max-sm:sr-only">{hidden}</span>
      {end}
    </>
  );
}
