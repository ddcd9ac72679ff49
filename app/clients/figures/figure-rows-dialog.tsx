import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useState } from 'react';
import { METRICS, type Metric, metricMeaning } from '../../../supabase/functions/metrics.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { formatTime } from '../../ui/lib/format-time.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Tab, TabList, TabPanel, Tabs } from '../../ui/tabs.tsx';
import { FigureEvents } from './figure-events.tsx';
import { type FigureRows, figureRowsQuery } from './figures.ts';
import { formatCount, formatPeriod, type Period } from './progress.ts';

/** Campaigns are collapsed if there are more rows. */
const MAX_EXPANDED_ROWS = 14;

interface FigureRowsDialogProps {
  clientId: string;
  metric: Metric;
  /** Periods with titles such as 'Last week'. Several periods are shown as tabs. */
  periods: readonly (Period & { title: string })[];
  /** Limits the rows to this campaign. */
  campaignId?: string | undefined;
  onClose: () => void;
}

/** Lists the rows that add up to a number, each with its file, importer and time. */
export function FigureRowsDialog({ clientId, metric, periods, campaignId, onClose }: FigureRowsDialogProps) {
  const [selected, setSelected] = useState(0);
  const { title, first, last } = periods[selected] ?? { title: '', first: '', last: '' };
  const { data, error, isPending, refetch } = useQuery(figureRowsQuery(clientId, metric, { first, last }));
  const campaigns = data?.campaigns.filter(({ id }) => campaignId === undefined || id === campaignId);
  const rows = campaigns?.flatMap((campaign) => campaign.rows);
  const content = (
    <>
      {isPending && <Skeleton className="h-40 rounded-md" />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {rows?.length === 0 && <p className="text-muted">No figures for this period.</p>}
      <div className={clsx('grid grid-cols-1 divide-y divide-line', periods.length === 1 && 'border-t border-line')}>
        {data &&
          campaigns?.map((campaign) => (
            <details
              key={campaign.id}
              open={(rows?.length ?? 0) <= MAX_EXPANDED_ROWS || campaigns.length === 1}
              className="py-2"
            >
              <summary className="cursor-pointer rounded-sm py-1 font-medium [overflow-wrap:anywhere]">
                {campaign.name}
                <span className="float-right pl-4 tabular-nums">{formatCount(total(campaign.rows))}</span>
              </summary>
              <Rows clientId={clientId} metric={metric} rows={campaign.rows} imports={data.imports} />
            </details>
          ))}
      </div>
    </>
  );
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={rows ? `${METRICS[metric].label}: ${formatCount(total(rows))}` : METRICS[metric].label}
      description={`${title}, ${formatPeriod({ first, last })}. Counts ${metricMeaning(metric)}. Weekly figures are assigned to the first day of their week.`}
    >
      {periods.length === 1 ? (
        content
      ) : (
        <Tabs className="gap-2" value={String(selected)} onValueChange={(value) => setSelected(Number(value))}>
          <TabList aria-label="Period">
            {periods.map((period, index) => (
              <Tab key={period.title} value={String(index)} className="max-sm:px-3">
                {period.title}
              </Tab>
            ))}
          </TabList>
          {periods.map((period, index) => (
            <TabPanel key={period.title} value={String(index)}>
              {content}
            </TabPanel>
          ))}
        </Tabs>
      )}
    </Dialog>
  );
}

function total(rows: readonly { value: number }[]): number {
  return rows.reduce((sum, { value }) => sum + value, 0);
}

interface RowsProps {
  clientId: string;
  metric: Metric;
  rows: FigureRows['campaigns'][number]['rows'];
  imports: FigureRows['imports'];
}

function Rows({ clientId, metric, rows, imports }: RowsProps) {
  const sources = new Map(imports.map((entry) => [entry.id, entry]));
  return (
    <ul className="grid grid-cols-1 gap-3 pt-2 pb-1">
      {rows.map(({ first_day, last_day, value, batch }) => {
        const source = batch === null ? undefined : sources.get(batch);
        return (
          <li key={`${first_day} ${batch}`} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 text-[0.9375rem]">
            <span>{formatPeriod({ first: first_day, last: last_day })}</span>
            <span className="tabular-nums">{formatCount(value)}</span>
            {source && !source.is_source && (
              <span className="text-sm text-muted [overflow-wrap:anywhere]">
                From {source.file_name}, {source.imported_by || 'our team'}, {formatTime(source.created_at)}
              </span>
            )}
            {batch === null && <span className="text-sm text-muted">Added under Meetings</span>}
            {source?.is_source && (
              <>
                <span className="text-sm text-muted">{source.file_name}</span>
                {value > 0 && <FigureEvents figure={{ clientId, batch: source.id, metric, day: first_day }} />}
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}
