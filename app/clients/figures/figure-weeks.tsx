import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { ChartColumn } from 'lucide-react';
import { useState } from 'react';
import { HEADLINE_METRICS, METRICS, type Metric } from '../../../supabase/functions/metrics.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatDay } from '../../ui/lib/zoned-times.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { Client } from '../clients.ts';
import { FigureButton } from './figure-button.tsx';
import { FigureRowsDialog } from './figure-rows-dialog.tsx';
import { sumsQuery } from './figures.ts';
import { formatPeriod, getProgress, type Period, pickHeadline, progressDateRange } from './progress.ts';

interface FigureWeeksProps {
  client: Client;
  /** True in the impersonated view. Omits the section label to avoid duplicate landmarks. */
  isImpersonated?: boolean;
  /** True for team members. Omits the explanation for clients without figures, because the imports have one. */
  isTeam?: boolean;
}

/** Table of the last twelve weeks. A click on a number shows the rows behind it. */
export function FigureWeeks({ client, isImpersonated = false, isTeam = false }: FigureWeeksProps) {
  const Heading = isTeam ? 'h2' : 'h3';
  const [now] = useState(() => new Date().toISOString());
  const {
    data: sums,
    error,
    isPending,
    refetch,
  } = useQuery(sumsQuery(client.id, HEADLINE_METRICS, progressDateRange(client, now)));
  const [opened, setOpened] = useState<{ metric: Metric; period: Period } | null>(null);
  // Same height as the table to prevent a layout shift. Clients without campaigns have no figures.
  if (isPending && client.campaigns.length > 0) return <Skeleton className="h-[41.7rem] rounded-lg sm:h-[33.2rem]" />;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!sums || sums.length === 0) {
    return isTeam ? null : <NoFigures />;
  }
  const columns = pickHeadline(sums, client).map((metric, index) => ({
    metric,
    weeks: getProgress(sums, metric, client, now).weeks,
    // The fourth column does not fit on the narrowest phones.
    className: clsx('pl-2', index === 3 && 'max-[23rem]:hidden'),
  }));
  const weeks = columns[0]?.weeks.toReversed() ?? [];
  return (
    <section aria-label={isImpersonated ? undefined : `Figures, ${client.name}`}>
      <Card className="grid grid-cols-1 gap-5 p-4 sm:p-5">
        <div>
          <Heading className="text-lg font-semibold">Figures</Heading>
          <p className="text-sm text-muted">Select a number to see the rows behind it.</p>
        </div>
        <table className="w-full sm:table-fixed text-[0.9375rem]">
          <thead>
            <tr className="border-b border-line text-right font-mono text-label text-muted">
              <th scope="col" className="pb-2 text-left font-normal">
                Week of
              </th>
              {columns.map(({ metric, className }) => (
                <th key={metric} scope="col" className={clsx('pb-2 font-normal', className)}>
                  {METRICS[metric].label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {weeks.map(({ first }, index) => (
              <tr key={first} className="h-11 text-right sm:h-8">
                <th scope="row" className="text-left font-normal whitespace-nowrap">
                  {formatDay(first, { day: 'numeric', month: 'short' })}
                </th>
                {columns.map(({ metric, weeks: values, className }) => (
                  <td key={metric} className={className}>
                    <WeekNumber
                      metric={metric}
                      week={values[values.length - 1 - index]}
                      onOpen={(period) => setOpened({ metric, period })}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Card>
      {opened && (
        <FigureRowsDialog
          clientId={client.id}
          metric={opened.metric}
          periods={[{ ...opened.period, title: 'One week' }]}
          onClose={() => setOpened(null)}
        />
      )}
    </section>
  );
}

function NoFigures() {
  return (
    <EmptyState
      icon={ChartColumn}
      className="bg-surface"
      title="No figures yet."
      description="The figures of your campaigns appear here week by week."
    />
  );
}

interface WeekNumberProps {
  metric: Metric;
  week: (Period & { value: number; isKnown: boolean }) | undefined;
  onOpen: (period: Period) => void;
}

function WeekNumber({ metric, week, onOpen }: WeekNumberProps) {
  if (!week?.isKnown) return <span className="text-muted">–</span>;
  return (
    <FigureButton
      figureName={`${METRICS[metric].label}, ${formatPeriod(week)}`}
      value={week.value}
      onOpen={() => onOpen(week)}
    />
  );
}
