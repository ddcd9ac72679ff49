import type { ReactNode } from 'react';
import { METRICS, type Metric } from '../../../supabase/functions/metrics.ts';
import { formatCount, formatShare } from '../figures/progress.ts';
import { formatValue, type MetricResult } from './tiles.tsx';

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
 * a campaign wrap and repeat the column headers.
 */
export function CampaignTable({ span, result, campaigns }: CampaignTableProps) {
  const totals = Object.fromEntries(result.flatMap(({ metric, value }) => (value === null ? [] : [[metric, value]])));
  // A rate of the totals would be wrong if a campaign lacks one of the two counts.
  const hasRate = (metric: Metric, of: Metric) =>
    campaigns.every(({ figures }) => figures[metric] === undefined || figures[of] !== undefined);
  return (
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
              className="pb-2 text-right align-bottom font-sans text-xs font-normal tracking-normal whitespace-nowrap"
            >
              {METRICS[metric].label}
            </th>
          ))}
        </tr>
      </thead>
      {campaigns.map(({ name, figures }) => (
        <Group key={`${name} ${JSON.stringify(figures)}`} name={name} result={result}>
          {(metric) => <Count metric={metric} figures={figures} hasRate={() => true} />}
        </Group>
      ))}
      {campaigns.length !== 1 && (
        <Group name={campaigns.length === 0 ? `This ${span}` : 'All campaigns'} result={result}>
          {(metric) => <Count metric={metric} figures={totals} hasRate={hasRate} />}
        </Group>
      )}
      <Group name={`Previous ${span}`} result={result}>
        {(metric) => formatValue(result.find((row) => row.metric === metric)?.before ?? null)}
      </Group>
    </table>
  );
}

interface GroupProps {
  name: string;
  result: readonly MetricResult[];
  /** Renders the cell of a metric. */
  children: (metric: Metric) => ReactNode;
}

function Group({ name, result, children }: GroupProps) {
  return (
    <tbody className="break-inside-avoid border-t border-line last:border-b max-sm:block">
      <tr className="align-top max-sm:grid max-sm:grid-cols-[repeat(auto-fill,minmax(5.5rem,1fr))] max-sm:gap-x-2">
        <th scope="row" className="py-3 pr-3 font-semibold [overflow-wrap:anywhere] max-sm:col-span-full max-sm:pb-1">
          {name}
        </th>
        {result.map(({ metric }) => (
          <td key={metric} className="pb-3 max-sm:block sm:pt-3 sm:text-right print:pt-3 print:text-right">
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
