import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { METRICS, type Metric } from '../../../supabase/functions/metrics.ts';
import { addDays, formatDay } from '../../ui/lib/zoned-times.ts';
import { formatCount, formatPeriod } from '../figures/progress.ts';
import { formatValue } from './tiles.tsx';

/** Sums of a week. A metric without a figure is missing. */
export interface ReportWeek {
  first_day: string;
  figures: Partial<Record<Metric, number>>;
}

/**
 * Metrics of similar size, so that they can share a scale. Meetings are the bars, because the client pays for them.
 */
const SERIES = [
  { metric: 'meetings', swatch: 'M0 0H10V10H0Z', className: 'fill-accent' },
  { metric: 'replies', swatch: 'M0 5H10', className: 'fill-none stroke-muted stroke-2' },
] as const satisfies { metric: Metric; swatch: string; className: string }[];

type Series = readonly (typeof SERIES)[number][];

const HEIGHT = 100;
const WEEK_WIDTH = 10;
const BAR_WIDTH = 5;

/** Chart of weekly meetings and replies, with the numbers in a table. */
export function WeeksChart({ weeks }: { weeks: readonly ReportWeek[] }) {
  return (
    <WeeksFigure weeks={weeks}>
      <details className="text-sm print:hidden">
        <summary className="w-fit cursor-pointer py-1 text-muted underline underline-offset-4 hover:text-ink">
          Show the figures by week
        </summary>
        <WeeksTable weeks={weeks} series={seriesOf(weeks)} />
      </details>
    </WeeksFigure>
  );
}

function seriesOf(weeks: readonly ReportWeek[]): Series {
  return SERIES.filter(({ metric }) => weeks.some(({ figures }) => figures[metric] !== undefined));
}

interface WeeksFigureProps {
  weeks: readonly ReportWeek[];
  /** Table with the numbers, unless it is elsewhere on the page. Screen readers ignore the chart. */
  children?: ReactNode;
}

/** Chart of weekly meetings (bars) and replies (line). Renders nothing for fewer than two weeks with figures. */
export function WeeksFigure({ weeks, children }: WeeksFigureProps) {
  const series = seriesOf(weeks);
  const last = weeks.at(-1);
  const labelledWeeks = [0, Math.floor(weeks.length / 2), weeks.length - 1];
  const weeksWithFigures = weeks.filter(({ figures }) => series.some(({ metric }) => figures[metric] !== undefined));
  if (weeksWithFigures.length < 2 || !last) return null;
  const top = axisMax(Math.max(...series.flatMap(({ metric }) => weeks.map(({ figures }) => figures[metric] ?? 0))));
  const names = series.map(({ metric }, index) =>
    index === 0 ? METRICS[metric].label : METRICS[metric].label.toLowerCase(),
  );
  return (
    <figure className="mt-4 grid break-inside-avoid gap-3">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <span className="font-semibold">
          {names.join(' and ')}, {weeks.length} weeks up to{' '}
          {formatDay(addDays(last.first_day, 6), { day: 'numeric', month: 'long' })}
        </span>
        <span className="flex gap-4 text-sm text-muted">
          {series.map(({ metric, swatch, className }) => (
            <span key={metric} className="flex items-center gap-1.5">
              <svg aria-hidden="true" viewBox="0 0 10 10" className={clsx('size-2.5', className)}>
                <path d={swatch} />
              </svg>
              {METRICS[metric].label}
            </span>
          ))}
        </span>
      </figcaption>
      <div aria-hidden="true" className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 font-mono text-label text-muted">
        <div className="-my-2 flex flex-col justify-between text-right">
          {[top, top / 2, 0].map((value) => (
            <span key={value}>{formatCount(value)}</span>
          ))}
        </div>
        <Plot weeks={weeks} series={series} top={top} />
        <div className="col-start-2 mt-2 grid auto-cols-fr grid-flow-col">
          {weeks.map(({ first_day }, index) => (
            <span key={first_day} className="flex w-0 justify-center justify-self-center whitespace-nowrap">
              {labelledWeeks.includes(index) && formatDay(first_day, { day: 'numeric', month: 'short' })}
            </span>
          ))}
        </div>
      </div>
      {children}
    </figure>
  );
}

interface SeriesProps {
  weeks: readonly ReportWeek[];
  series: Series;
}

function Plot({ weeks, series, top }: SeriesProps & { top: number }) {
  const width = weeks.length * WEEK_WIDTH;
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" className="h-40 w-full">
      <path
        d={`M0 0H${width}M0 ${HEIGHT / 2}H${width}M0 ${HEIGHT}H${width}`}
        className="stroke-line"
        vectorEffect="non-scaling-stroke"
      />
      {series.map(({ metric, className }) => {
        const heights = weeks.map(({ figures }) => {
          const value = weekValue(figures, metric);
          return value === null ? null : (value / top) * HEIGHT;
        });
        return (
          <path
            key={metric}
            className={className}
            d={metric === 'meetings' ? drawBars(heights) : drawLine(heights)}
            strokeLinecap="round"
            vectorEffect="non-scaling-stroke"
          />
        );
      })}
    </svg>
  );
}

/** Draws a zero as a thin bar and leaves a gap for a missing figure. */
function drawBars(heights: readonly (number | null)[]): string {
  return heights
    .map((height, week) => {
      if (height === null) return '';
      const left = (week + 0.5) * WEEK_WIDTH - BAR_WIDTH / 2;
      return `M${left} ${HEIGHT}v${-Math.max(1, height).toFixed(1)}h${BAR_WIDTH}V${HEIGHT}Z`;
    })
    .join('');
}

/** Interrupts the line at missing figures. Draws a figure between two missing figures as a dot. */
function drawLine(heights: readonly (number | null)[]): string {
  return heights
    .map((height, week) => {
      if (height === null) return '';
      const hasPrevious = typeof heights[week - 1] === 'number';
      return `${hasPrevious ? 'L' : 'M'}${(week + 0.5) * WEEK_WIDTH} ${(HEIGHT - height).toFixed(1)}${hasPrevious ? '' : 'h0'}`;
    })
    .join('');
}

function WeeksTable({ weeks, series }: SeriesProps) {
  return (
    <table className="mt-2 w-full text-left">
      <thead className="font-mono text-label text-muted">
        <tr>
          <th scope="col" className="py-1.5 font-normal">
            Week
          </th>
          {series.map(({ metric }) => (
            <th key={metric} scope="col" className="py-1.5 text-right font-normal">
              {METRICS[metric].label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line border-y border-line">
        {weeks.map(({ first_day, figures }) => (
          <tr key={first_day}>
            <th scope="row" className="py-1.5 font-normal">
              {formatPeriod({ first: first_day, last: addDays(first_day, 6) })}
            </th>
            {series.map(({ metric }) => (
              <td key={metric} className="py-1.5 text-right tabular-nums">
                {formatValue(weekValue(figures, metric))}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Every meeting is recorded, so if a week has other figures but no meetings, the number of meetings is 0. */
function weekValue(figures: ReportWeek['figures'], metric: Metric): number | null {
  return figures[metric] ?? (metric === 'meetings' && Object.keys(figures).length > 0 ? 0 : null);
}

/** Rounds up the maximum, so that the axis has a round number at the top and in the middle. */
function axisMax(max: number): number {
  const unit = Math.max(1, 10 ** Math.floor(Math.log10(Math.max(1, max / 2))) / 2);
  return Math.max(1, Math.ceil(max / 2 / unit)) * unit * 2;
}
