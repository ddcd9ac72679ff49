import { clsx } from 'clsx';
import { METRICS, type Metric } from '../../../supabase/functions/metrics.ts';
import { formatDay } from '../../ui/lib/zoned-times.ts';
import { formatCount, formatShare } from '../figures/progress.ts';

/** Sum of a metric in this period and in the previous period. Null if there is no figure, as opposed to 0. */
export interface MetricResult {
  metric: Metric;
  value: number | null;
  before: number | null;
}

export interface MetricGoal {
  metric: Metric;
  goal: number;
  /** Sum in the month of the goal. */
  value: number;
}

/** Metrics of the tiles by importance. private.mailed_figures() has the same order. */
const TILES: readonly Metric[] = ['meetings', 'replies', 'delivered', 'positive_replies', 'sent'];

interface TilesProps {
  span: 'week' | 'month';
  result: readonly MetricResult[];
  goals: readonly MetricGoal[];
  /** Any day in the month of the goals. */
  day: string;
}

/** Shows the three most important figures of a report with the previous period and the monthly goal. */
export function Tiles({ span, result, goals, day }: TilesProps) {
  const tileMetrics = TILES.filter((name) => [...result, ...goals].some(({ metric }) => metric === name)).slice(0, 3);
  return (
    <dl className="grid grid-cols-1 gap-3 sm:auto-cols-fr sm:grid-flow-col print:auto-cols-fr print:grid-flow-col">
      {tileMetrics.map((name) => {
        const { value = null, before = null } = result.find(({ metric }) => metric === name) ?? {};
        const goal = goals.find(({ metric }) => metric === name);
        return (
          <div key={name} className="grid content-start gap-x-4 rounded-md border border-line p-4">
            <dt className="font-mono text-label text-muted">{METRICS[name].label}</dt>
            <dd className="text-[2rem] leading-10 font-semibold tracking-tight">{formatValue(value)}</dd>
            <dd className="text-sm text-muted">
              <Change value={value} before={before} span={span} />
            </dd>
            {goal && (
              <dd className="mt-3 grid gap-1.5 text-[0.8125rem]">
                <GoalBar share={goal.value / goal.goal} />
                {formatGoal(goal, day)}
              </dd>
            )}
          </div>
        );
      })}
    </dl>
  );
}

function Change({ value, before, span }: Pick<MetricResult, 'value' | 'before'> & { span: string }) {
  if (value === null) return `No figures for this ${span}`;
  if (before === null) return `No figures for the ${span} before`;
  if (value === before) return `Same as ${span} before`;
  const isMore = value > before;
  return (
    <>
      <span className={clsx('font-semibold', isMore ? 'text-accent' : 'text-signal')}>
        {isMore ? '+' : '−'}
        {formatCount(Math.abs(value - before))}
      </span>{' '}
      vs. {span} before
    </>
  );
}

/** Drawn as SVG, because browsers do not print background colours by default. */
function GoalBar({ share }: { share: number }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 100 6" preserveAspectRatio="none" className="h-1.5 w-full">
      <path d="M0 0H100V6H0Z" className="fill-line" />
      <path d={`M0 0H${Math.min(100, share * 100)}V6H0Z`} className="fill-accent" />
    </svg>
  );
}

/** Formats goal progress, such as '12 of 20 in Nov · 60%'. The share can exceed 100%. */
function formatGoal({ goal, value }: MetricGoal, day: string): string {
  const month = formatDay(day, { month: 'short' });
  return `${formatCount(value)} of ${formatCount(goal)} in ${month} · ${formatShare(value, goal)}`;
}

/** Formats a count, or a missing figure as a dash. */
export function formatValue(value: number | null): string {
  return value === null ? '–' : formatCount(value);
}
