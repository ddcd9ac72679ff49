import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useState } from 'react';
import { HEADLINE_METRICS, METRICS, type Metric } from '../../../supabase/functions/metrics.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { addDays } from '../../ui/lib/zoned-times.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { Client } from '../clients.ts';
import { FigureRowsDialog } from './figure-rows-dialog.tsx';
import { FigureTile } from './figure-tile.tsx';
import { sumsQuery } from './figures.ts';
import {
  currentDate,
  findGoal,
  formatPeriod,
  formatWeek,
  getMonth,
  getProgress,
  type Period,
  pickHeadline,
  progressDateRange,
  type Sum,
} from './progress.ts';

interface ClientProgressProps {
  client: Client;
  /** True in the impersonated view. Omits the section label to avoid duplicate landmarks. */
  isImpersonated?: boolean;
  /** True for team members. Omits the explanation for clients without figures. */
  isTeam?: boolean;
}

/** Shows the latest week's headline figures with their change and monthly goal. A click on a figure shows its rows. */
export function ClientProgress({ client, isImpersonated = false, isTeam = false }: ClientProgressProps) {
  const [now] = useState(() => new Date().toISOString());
  const query = useQuery(sumsQuery(client.id, HEADLINE_METRICS, progressDateRange(client, now)));
  // The latest week with figures.
  const week = query.data && getProgress(query.data, 'meetings', client, now).weeks.at(-1);
  const title = week ? formatWeek(week, currentDate(client, now), client) : '';
  const Heading = isTeam ? 'h2' : 'h3';
  if (isTeam && !week && (query.data || client.campaigns.length === 0)) return null;
  return (
    <section aria-label={isImpersonated ? undefined : `Progress, ${client.name}`} className="grid grid-cols-1 gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <Heading className="text-lg font-semibold">Progress</Heading>
        {week && (
          <p className="font-mono text-label text-muted">
            {title}, {formatPeriod(week)}
          </p>
        )}
      </div>
      {query.isPending && <Skeleton className="h-47.5 rounded-lg sm:h-50" />}
      {query.error && <LoadError error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && !week && (
        <EmptyState
          className="bg-surface max-sm:py-8"
          title="Your figures will appear here"
          description={
            client.campaigns.some(({ phase }) => phase === 'running')
              ? 'Your campaign is running. Figures follow after its first full week.'
              : 'Once a campaign is running, you see the messages delivered, people who replied and meetings booked for each week. Select a figure to see the rows behind it.'
          }
        />
      )}
      {query.data && week && (
        <Card className="overflow-hidden">
          <ProgressTiles client={client} sums={query.data} now={now} week={week} title={title} />
        </Card>
      )}
    </section>
  );
}

interface ProgressTilesProps {
  client: Client;
  sums: readonly Sum[];
  now: string;
  week: Period;
  title: string;
}

/** Renders a tile for each headline metric. Phones show only the first three. */
function ProgressTiles({ client, sums, now, week, title }: ProgressTilesProps) {
  const [opened, setOpened] = useState<Metric | null>(null);
  const headlineMetrics = pickHeadline(sums, client);
  return (
    <>
      <ul
        className={clsx(
          'grid grid-cols-1 divide-y divide-line max-sm:[&>:nth-child(3)]:border-b-0 sm:divide-x sm:divide-y-0',
          headlineMetrics.length === 4
            ? 'sm:grid-cols-2 sm:max-lg:[&>:nth-child(n+3)]:border-t sm:max-lg:[&>:nth-child(2n)]:border-r-0 lg:grid-cols-4'
            : 'sm:grid-cols-3',
        )}
      >
        {headlineMetrics.map((metric, index) => {
          const progress = getProgress(sums, metric, client, now);
          const latest = progress.weeks.at(-1);
          return (
            <li key={metric} className={clsx('border-line', index === 3 && 'max-sm:hidden')}>
              <FigureTile
                label={METRICS[metric].label}
                figureName={`${METRICS[metric].label}, ${title.toLowerCase()}`}
                value={latest?.isKnown ? latest.value : null}
                progress={progress}
                goal={findGoal(metric, client)}
                onOpen={() => setOpened(metric)}
              />
            </li>
          );
        })}
      </ul>
      {opened && (
        <FigureRowsDialog
          clientId={client.id}
          metric={opened}
          periods={[
            { ...week, title },
            { first: addDays(week.first, -7), last: addDays(week.last, -7), title: 'Week before' },
            { ...getMonth(currentDate(client, now)), title: 'This month' },
          ]}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}
