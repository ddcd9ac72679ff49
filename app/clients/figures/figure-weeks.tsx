import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { ChartColumn } from 'lucide-react';
import { useState } from 'react';
import { HEADLINE_METRICS, METRICS, type Metric } from '../../../supabase/functions/metrics.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { addDays, formatDay } from '../../ui/lib/zoned-times.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { Client } from '../clients.ts';
import { WeeksFigure } from '../reports/weeks-chart.tsx';
import { FigureButton } from './figure-button.tsx';
import { FigureRowsDialog } from './figure-rows-dialog.tsx';
import { sumsQuery } from './figures.ts';
import {
  formatPeriod,
  getMonth,
  getProgress,
  type Period,
  pickHeadline,
  progressDateRange,
  type Sum,
} from './progress.ts';
import { sumsByWeek, sumWithin } from './report.ts';

interface FigureWeeksProps {
  client: Client;
  /** True in the impersonated view. Omits the section label to avoid duplicate landmarks. */
  isImpersonated?: boolean;
  /** True for team members. Omits the explanation for clients without figures, because the imports have one. */
  isTeam?: boolean;
}

const LABEL_CLASS = 'text-xs text-muted sm:font-mono sm:text-label';

/** The fourth column does not fit on the narrowest phones. */
function columnClass(index: number): string {
  return clsx('pl-2', index === 3 && 'max-[23rem]:hidden');
}

/** Chart and table of the last twelve weeks, with monthly totals. A click on a number shows the rows behind it. */
export function FigureWeeks({ client, isImpersonated = false, isTeam = false }: FigureWeeksProps) {
  const Heading = isTeam ? 'h2' : 'h3';
  const [now] = useState(() => new Date().toISOString());
  const range = progressDateRange(client, now);
  const { data: sums, error, isPending, refetch } = useQuery(sumsQuery(client.id, HEADLINE_METRICS, range));
  const [opened, setOpened] = useState<{ metric: Metric; period: Period & { title: string } } | null>(null);
  // Same height as the table to prevent a layout shift. Clients without campaigns have no figures.
  if (isPending && client.campaigns.length > 0) return <Skeleton className="h-[71rem] rounded-lg sm:h-[57.2rem]" />;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!sums || sums.length === 0) {
    return isTeam ? null : <NoFigures />;
  }
  const metrics = pickHeadline(sums, client);
  const { weeks } = getProgress(sums, 'meetings', client, now);
  const latest = weeks.at(-1) ?? range;
  const rows = (periods: readonly Period[], isMonth: boolean) =>
    periods.map((period) => (
      <tr key={period.first} className="h-11 text-right sm:h-8">
        <th scope="row" className={clsx('text-left whitespace-nowrap', isMonth ? 'font-semibold' : 'font-normal')}>
          {formatDay(period.first, isMonth ? { month: 'long' } : { day: 'numeric', month: 'short' })}
        </th>
        {metrics.map((metric, index) => (
          <td key={metric} className={clsx(columnClass(index), isMonth && 'font-semibold')}>
            <Value
              metric={metric}
              period={period}
              value={sumWithin(sums, metric, period)}
              onOpen={() => setOpened({ metric, period: { ...period, title: isMonth ? 'One month' : 'One week' } })}
            />
          </td>
        ))}
      </tr>
    ));
  return (
    <section aria-label={isImpersonated ? undefined : `Figures, ${client.name}`}>
      <Card className="p-4 sm:p-5">
        <Heading className="text-lg font-semibold">Figures</Heading>
        <p className="text-sm text-muted">Select a number to see the rows behind it.</p>
        <WeeksFigure weeks={sumsByWeek(sums, latest, client)} />
        <table className="mt-5 w-full table-fixed text-[0.9375rem]">
          <thead>
            <tr className={clsx('text-right', LABEL_CLASS)}>
              <th scope="col" className="w-1/5 pb-2 text-left font-normal">
                Month
              </th>
              {metrics.map((metric, index) => (
                <th key={metric} scope="col" className={clsx('pb-2 font-normal', columnClass(index))}>
                  {METRICS[metric].label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line border-t border-line">
            {rows(listMonths(sums, latest, range), true)}
          </tbody>
          <tbody className="divide-y divide-line border-t border-line">
            <tr className={LABEL_CLASS}>
              <th scope="rowgroup" colSpan={metrics.length + 1} className="pt-5 pb-2 text-left font-normal">
                Week of
              </th>
            </tr>
            {rows(weeks.toReversed(), false)}
          </tbody>
        </table>
      </Card>
      {opened && (
        <FigureRowsDialog
          clientId={client.id}
          metric={opened.metric}
          periods={[opened.period]}
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

interface ValueProps {
  metric: Metric;
  period: Period;
  /** Null if there is no figure. */
  value: number | null;
  onOpen: () => void;
}

function Value({ metric, period, value, onOpen }: ValueProps) {
  if (value === null) return <span className="text-muted">–</span>;
  return (
    <FigureButton figureName={`${METRICS[metric].label}, ${formatPeriod(period)}`} value={value} onOpen={onOpen} />
  );
}

/** Lists up to three months with figures, latest first. Omits months that begin before the loaded range. */
function listMonths(sums: readonly Sum[], latest: Period, range: Period): Period[] {
  const month = getMonth(latest.last);
  const previous = getMonth(addDays(month.first, -1));
  return [month, previous, getMonth(addDays(previous.first, -1))].filter(
    ({ first, last }) => first >= range.first && sums.some(({ first_day }) => first_day >= first && first_day <= last),
  );
}
