import { clsx } from 'clsx';
import { type ReactNode, useState } from 'react';
import { METRICS, type Metric } from '../../../supabase/functions/metrics.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount, formatShare } from '../figures/progress.ts';
import { formatValue, type MetricResult } from './tiles.tsx';

/** Metrics that phones show only on request if there are more than `MAX_PHONE_METRICS`. */
const MINOR_METRICS: readonly Metric[] = ['sent', 'positive_replies'];

const MAX_PHONE_METRICS = 3;

/** Figures of a campaign. */
export interface Counts {
  name: string;
  figures: Partial<Record<Metric, number>>;
}

interface CampaignTableProps {
  span: 'week' | 'month';
  result: readonly MetricResult[];
  campaigns: readonly Counts[];
}

/**
 * Table of figures and rates by campaign, with the sums of this period and the previous period. On phones, the cells of
 * a campaign wrap and repeat the column headers. Missing figures and `MINOR_METRICS` are hidden.
 */
export function CampaignTable({ span, result, campaigns }: CampaignTableProps) {
  const totals = Object.fromEntries(result.flatMap(({ metric, value }) => (value === null ? [] : [[metric, value]])));
  const before = Object.fromEntries(result.flatMap((row) => (row.before === null ? [] : [[row.metric, row.before]])));
  const hasMinor = result.length > MAX_PHONE_METRICS && result.some(({ metric }) => MINOR_METRICS.includes(metric));
  const [showsAll, setShowsAll] = useState(false);
  const phoneClass = (metric: Metric) =>
    hasMinor && !showsAll && MINOR_METRICS.includes(metric) ? 'max-sm:not-print:hidden' : '';
  const group = { result, phoneClass };
  // A rate of the totals would be wrong if a campaign lacks one of the two counts.
  const hasRate = (metric: Metric, of: Metric) =>
    campaigns.every(({ figures }) => figures[metric] === undefined || figures[of] !== undefined);
  return (
    <>
      <table className="w-full table-fixed text-left">
        <thead className="font-mono text-label text-muted max-sm:sr-only print:not-sr-only">
          <tr>
            <th scope="col" className="w-[24%] pb-2 align-bottom font-normal">
              Campaign
            </th>
            {result.map(({ metric }) => (
              <th
                key={metric}
                scope="col"
                className={clsx(
                  'pb-2 text-right align-bottom font-sans text-xs font-normal tracking-normal whitespace-nowrap',
                  phoneClass(metric),
                )}
              >
                {METRICS[metric].label}
              </th>
            ))}
          </tr>
        </thead>
        {campaigns.map(({ name, figures }) => (
          <Group key={`${name} ${JSON.stringify(figures)}`} name={name} figures={figures} {...group}>
            {(metric) => <Count metric={metric} figures={figures} hasRate={() => true} />}
          </Group>
        ))}
        {campaigns.length !== 1 && (
          <Group name={campaigns.length === 0 ? `This ${span}` : 'All campaigns'} figures={totals} {...group}>
            {(metric) => <Count metric={metric} figures={totals} hasRate={hasRate} />}
          </Group>
        )}
        <Group name={`Previous ${span}`} figures={before} {...group}>
          {(metric) => formatValue(before[metric] ?? null)}
        </Group>
      </table>
      {hasMinor && (
        <Button
          variant="link"
          className="justify-self-start max-sm:min-h-11 sm:hidden print:hidden"
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll ? 'Show fewer figures' : 'Show all figures'}
        </Button>
      )}
    </>
  );
}

interface GroupProps {
  name: string;
  figures: Counts['figures'];
  /** Class of a metric's cells that applies on phones. */
  phoneClass: (metric: Metric) => string;
  result: readonly MetricResult[];
  /** Renders the cell of a metric. */
  children: (metric: Metric) => ReactNode;
}

function Group({ name, figures, result, phoneClass, children }: GroupProps) {
  return (
    <tbody className="break-inside-avoid border-t border-line last:border-b max-sm:block">
      <tr className="align-top max-sm:grid max-sm:grid-cols-[repeat(auto-fill,minmax(5.5rem,1fr))] max-sm:gap-x-2">
        <th scope="row" className="py-3 pr-3 font-semibold [overflow-wrap:anywhere] max-sm:col-span-full max-sm:pb-1">
          {name}
        </th>
        {result.map(({ metric }) => (
          <td
            key={metric}
            className={clsx(
              'pb-3 max-sm:block sm:pt-3 sm:text-right print:pt-3 print:text-right',
              // Keeps its place, so that the columns of all campaigns are aligned, also for screen readers.
              figures[metric] === undefined && 'max-sm:not-print:opacity-0',
              phoneClass(metric),
            )}
          >
            <span aria-hidden="true" className="block text-xs whitespace-nowrap text-muted sm:hidden print:hidden">
              {METRICS[metric].label}
            </span>
            {children(metric)}
          </td>
        ))}
      </tr>
    </tbody>
  );
}

interface CountProps {
  metric: Metric;
  figures: Counts['figures'];
  hasRate: (metric: Metric, of: Metric) => boolean;
}

/** Shows a count and its share of another metric, such as '41 of 60 · 68%', or only the count. */
function Count({ metric, figures, hasRate }: CountProps) {
  const { of } = METRICS[metric];
  const value = figures[metric] ?? null;
  const total = of === null ? undefined : figures[of];
  const isPart = of !== null && value !== null && !!total && value <= total && hasRate(metric, of);
  return (
    <>
      <span className="font-medium">{formatValue(value)}</span>{' '}
      {isPart && (
        <span className="block text-xs text-muted">
          of {formatCount(total)} · {formatShare(value, total)}
        </span>
      )}
    </>
  );
}
