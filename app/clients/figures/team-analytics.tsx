import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { type ComponentProps, useState } from 'react';
import { HEADLINE_METRICS, METRICS, type Metric } from '../../../supabase/functions/metrics.ts';
import { Card } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { formatDate } from '../../ui/lib/format-date.ts';
import { addDays, dayOf, formatDay, visitorZone } from '../../ui/lib/zoned-times.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Select } from '../../ui/select.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { channelLabel } from '../clients.ts';
import { FigureButton } from './figure-button.tsx';
import { FigureRowsDialog } from './figure-rows-dialog.tsx';
import { formatCount, formatPeriod, getMonth } from './progress.ts';
import {
  type ChannelTotals,
  type ClientTotals,
  groupByChannel,
  lateClients,
  sumMetric,
  totalsQuery,
} from './team-totals.ts';

const MONTH_COUNT = 12;

interface OpenedFigure {
  clientId: string;
  campaignId: string;
  metric: Metric;
  title: string;
}

/** Shows the monthly figures of all visible clients by channel and campaign, and lists clients with late figures. */
export default function TeamAnalytics() {
  const [now] = useState(() => new Date().toISOString());
  const [month, setMonth] = useState(() => getMonth(dayOf(now, visitorZone())).first);
  const period = getMonth(month);
  const { data: clients, error, isPending, refetch } = useQuery(totalsQuery(period));
  const [opened, setOpened] = useState<OpenedFigure | null>(null);
  const [total, setTotal] = useState<{ channel: ChannelTotals; metric: Metric } | null>(null);
  const channels = clients && groupByChannel(clients);
  return (
    <section aria-labelledby="analytics" className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h2 id="analytics" tabIndex={-1} className="scroll-mt-24 text-lg font-semibold">
          Analytics
        </h2>
        <Field label="Month" labelHidden className="w-56">
          <Select value={month} onChange={({ target }) => setMonth(target.value)}>
            {latestMonths(dayOf(now, visitorZone())).map((first) => (
              <option key={first} value={first}>
                {formatDay(first, { month: 'long', year: 'numeric' })}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      {isPending && <Skeleton className="h-40 rounded-lg" />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {clients && <LateFigures clients={clients} now={now} />}
      {channels?.length === 0 && lateClients(clients ?? [], now).every(({ latest }) => latest !== null) && (
        <p className="text-muted">No figures for this month. Import them under each client above.</p>
      )}
      {channels && channels.length > 0 && (
        <ChannelTable channels={channels} onOpen={setOpened} onOpenTotal={setTotal} />
      )}
      {total && !opened && (
        <TotalDialog {...total} title={formatPeriod(period)} onOpen={setOpened} onClose={() => setTotal(null)} />
      )}
      {opened && (
        <FigureRowsDialog {...opened} periods={[{ ...period, title: opened.title }]} onClose={() => setOpened(null)} />
      )}
    </section>
  );
}

/** Returns the first days of the latest months, latest first. */
function latestMonths(today: string): string[] {
  const months = [getMonth(today).first];
  while (months.length < MONTH_COUNT) months.push(getMonth(addDays(months.at(-1) ?? today, -1)).first);
  return months;
}

function LateFigures({ clients, now }: { clients: readonly ClientTotals[]; now: string }) {
  const late = lateClients(clients, now);
  if (late.length === 0)
    return <p className="text-muted">All running campaigns have figures up to the end of last week.</p>;
  return (
    <Card className="grid grid-cols-1 gap-2 px-4 pt-4 pb-2 sm:px-5">
      <h3 className="font-medium">
        {late.length === 1 ? 'Figures are missing for one client' : `Figures are missing for ${late.length} clients`}
      </h3>
      <ul className="grid grid-cols-1 divide-y divide-line">
        {late.map(({ id, name, latest, weeks }) => (
          <li key={id} className="flex flex-wrap justify-between gap-x-4 py-2 [overflow-wrap:anywhere]">
            <span>{name}</span>
            <span className="text-muted">
              {latest === null
                ? 'No figures yet'
                : `Until ${formatDate(latest)}, ${weeks === 1 ? 'a week' : `${weeks} weeks`} behind`}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface ChannelTableProps {
  channels: readonly ChannelTotals[];
  onOpen: (opened: OpenedFigure) => void;
  onOpenTotal: (total: { channel: ChannelTotals; metric: Metric }) => void;
}

/** Table of campaigns by channel. On phones, the numbers are below the names. */
function ChannelTable({ channels, onOpen, onOpenTotal }: ChannelTableProps) {
  const metrics = HEADLINE_METRICS.filter((metric) => channels.some((channel) => isKnown(channel, metric)));
  return (
    <Card className="px-4 py-1 sm:px-5">
      <table className="w-full max-md:block">
        <thead className="font-mono text-label text-muted max-md:block">
          <tr className={ROW_CLASS}>
            <th scope="col" className="sr-only">
              Campaign
            </th>
            {metrics.map((metric) => (
              <th key={metric} scope="col" className={clsx(CELL_CLASS, 'font-normal')}>
                {METRICS[metric].label}
              </th>
            ))}
          </tr>
        </thead>
        {channels.map((channel) => (
          <tbody
            key={channel.channel}
            aria-label={channelLabel(channel.channel)}
            className="divide-y divide-line border-t border-line max-md:block"
          >
            <tr className={clsx(ROW_CLASS, 'font-semibold')}>
              <th scope="rowgroup" className={NAME_CLASS}>
                {channelLabel(channel.channel)}
              </th>
              {/* Omitted for a single campaign, which has the same numbers. */}
              {channel.campaigns.length > 1 &&
                metrics.map((metric) => (
                  <td key={metric} className={CELL_CLASS}>
                    <Count
                      figureName={`${METRICS[metric].label} by ${channelLabel(channel.channel)}`}
                      action="Show campaigns"
                      value={isKnown(channel, metric) ? sumMetric(channel, metric) : undefined}
                      onOpen={() => onOpenTotal({ channel, metric })}
                    />
                  </td>
                ))}
            </tr>
            {channel.campaigns.map((campaign) => (
              <CampaignRow key={`${campaign.client.id} ${campaign.id}`} {...{ campaign, metrics, onOpen }} />
            ))}
          </tbody>
        ))}
      </table>
    </Card>
  );
}

const ROW_CLASS = 'max-md:flex max-md:flex-wrap max-md:gap-x-3 max-md:py-2';
const CELL_CLASS = 'text-right max-md:flex-1 max-md:text-left md:w-28 md:py-2';
const NAME_CLASS = 'text-left wrap-anywhere max-md:w-full md:py-2';

interface CampaignRowProps extends Pick<ChannelTableProps, 'onOpen'> {
  campaign: ChannelTotals['campaigns'][number];
  metrics: readonly Metric[];
}

function CampaignRow({ campaign: { id, name, client, figures, held }, metrics, onOpen }: CampaignRowProps) {
  const heldText = held === 1 ? 'One meeting held' : held > 0 && `${formatCount(held)} meetings held`;
  return (
    <tr className={ROW_CLASS}>
      <th scope="row" className={clsx(NAME_CLASS, 'font-normal')}>
        <p className="font-medium">{name}</p>
        <p className="text-sm text-muted">{[client.name, heldText].filter(Boolean).join(' · ')}</p>
      </th>
      {metrics.map((metric) => (
        <td key={metric} className={CELL_CLASS}>
          <Count
            figureName={`${METRICS[metric].label}, ${name}`}
            value={figures[metric]}
            onOpen={() => onOpen({ clientId: client.id, campaignId: id, metric, title: client.name })}
          />
        </td>
      ))}
    </tr>
  );
}

function isKnown({ campaigns }: ChannelTotals, metric: Metric): boolean {
  return campaigns.some(({ figures }) => figures[metric] !== undefined);
}

interface CountProps extends Pick<ComponentProps<typeof FigureButton>, 'figureName' | 'action' | 'onOpen'> {
  value: number | undefined;
}

function Count({ value, ...button }: CountProps) {
  return value === undefined ? (
    <span className="max-md:inline-flex max-md:min-h-11 max-md:items-center text-muted">–</span>
  ) : (
    <FigureButton {...button} value={value} />
  );
}

interface TotalDialogProps {
  channel: ChannelTotals;
  metric: Metric;
  /** Such as '1–30 November 2026'. */
  title: string;
  onOpen: (opened: OpenedFigure) => void;
  onClose: () => void;
}

/** Lists the campaigns that make up a channel's total. A click on a number shows the rows behind it. */
function TotalDialog({ channel, metric, title, onOpen, onClose }: TotalDialogProps) {
  const { label } = METRICS[metric];
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`${label}: ${formatCount(sumMetric(channel, metric))}`}
      description={`${channelLabel(channel.channel)}, ${title}.`}
    >
      <ul className="grid grid-cols-1 divide-y divide-line border-t border-line">
        {channel.campaigns
          .filter(({ figures }) => figures[metric] !== undefined)
          .map(({ id, name, client, figures }) => (
            <li key={`${client.id} ${id}`} className="flex justify-between gap-4 py-2.5 [overflow-wrap:anywhere]">
              <span>
                {name} <span className="text-muted">{client.name}</span>
              </span>
              <div className="w-20 shrink-0 text-right">
                <FigureButton
                  figureName={`${label}, ${name}`}
                  value={figures[metric] ?? 0}
                  onOpen={() => onOpen({ clientId: client.id, campaignId: id, metric, title: client.name })}
                />
              </div>
            </li>
          ))}
      </ul>
    </Dialog>
  );
}
