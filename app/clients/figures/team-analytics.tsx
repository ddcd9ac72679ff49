import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
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
import { FigureTile } from './figure-tile.tsx';
import { formatCount, formatPeriod, monthOf } from './progress.ts';
import { byChannel, type ChannelTotals, type ClientTotals, lateClients, totalOf, totalsQuery } from './team-totals.ts';

const MONTHS = 12;

interface OpenedFigure {
  clientId: string;
  campaignId: string;
  metric: Metric;
  title: string;
}

/** Monthly figures of all visible clients by channel and campaign, and clients with late figures. */
export default function TeamAnalytics() {
  const [now] = useState(() => new Date().toISOString());
  const [month, setMonth] = useState(() => monthOf(dayOf(now, visitorZone())).first);
  const period = monthOf(month);
  const { data: clients, error, isPending, refetch } = useQuery(totalsQuery(period));
  const [opened, setOpened] = useState<OpenedFigure | null>(null);
  const [total, setTotal] = useState<{ channel: ChannelTotals; metric: Metric } | null>(null);
  const channels = clients && byChannel(clients);
  return (
    <section aria-labelledby="analytics" className="grid grid-cols-1 gap-6">
      <div className="flex flex-wrap items-end justify-between gap-4">
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
      {clients && <Late clients={clients} now={now} />}
      {channels?.length === 0 && (
        <p className="text-muted">No figures for this month. Import them under each client above.</p>
      )}
      {channels?.map((channel) => (
        <Channel
          key={channel.channel}
          totals={channel}
          onOpen={setOpened}
          onOpenTotal={(metric) => setTotal({ channel, metric })}
        />
      ))}
      {total && !opened && (
        <TotalDialog {...total} title={formatPeriod(period)} onOpen={setOpened} onClose={() => setTotal(null)} />
      )}
      {opened && (
        <FigureRowsDialog {...opened} periods={[{ ...period, title: opened.title }]} onClose={() => setOpened(null)} />
      )}
    </section>
  );
}

/** First days of the last months, latest first. */
function latestMonths(today: string): string[] {
  const months = [monthOf(today).first];
  while (months.length < MONTHS) months.push(monthOf(addDays(months.at(-1) ?? today, -1)).first);
  return months;
}

function Late({ clients, now }: { clients: readonly ClientTotals[]; now: string }) {
  const late = lateClients(clients, now);
  if (late.length === 0)
    return <p className="text-muted">All running campaigns have figures up to the end of last week.</p>;
  return (
    <Card className="grid grid-cols-1 gap-2 p-5">
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

/** Name on the left and four numbers on the right. On phones the numbers are below. */
const ROW_CLASS = 'grid grid-cols-1 gap-x-6 gap-y-2 py-3 md:grid-cols-[minmax(0,1fr)_26rem]';

interface ChannelProps {
  totals: ChannelTotals;
  onOpen: (opened: OpenedFigure) => void;
  onOpenTotal: (metric: Metric) => void;
}

function Channel({ totals, onOpen, onOpenTotal }: ChannelProps) {
  const label = channelLabel(totals.channel);
  return (
    <section aria-label={label}>
      <Card className="overflow-hidden">
        <h3 className="px-4 sm:px-5 pt-4 text-lg font-semibold">{label}</h3>
        <ul className="grid grid-cols-2 border-b border-line md:grid-cols-4">
          {HEADLINE_METRICS.map((metric) => {
            const isKnown = totals.campaigns.some(({ figures }) => figures[metric] !== undefined);
            return (
              <li key={metric}>
                <FigureTile
                  label={METRICS[metric].label}
                  figureName={`${METRICS[metric].label} by ${label}`}
                  action="Show campaigns"
                  value={isKnown ? totalOf(totals, metric) : null}
                  onOpen={() => onOpenTotal(metric)}
                />
              </li>
            );
          })}
        </ul>
        <ul className="grid grid-cols-1 divide-y divide-line px-4 sm:px-5">
          {totals.campaigns.map(({ id, name, client, figures, held }) => (
            <li key={`${client.id} ${id}`} className={ROW_CLASS}>
              <div className="min-w-0 [overflow-wrap:anywhere]">
                <h4 className="font-medium">{name}</h4>
                <p className="text-sm text-muted">{client.name}</p>
                {held > 0 && (
                  <p className="text-sm text-muted">
                    {held === 1 ? 'One meeting held' : `${formatCount(held)} meetings held`}
                  </p>
                )}
              </div>
              <dl className="grid grid-cols-4 gap-x-3 md:text-right">
                {HEADLINE_METRICS.map((metric) => {
                  const value = figures[metric];
                  const open = () => onOpen({ clientId: client.id, campaignId: id, metric, title: client.name });
                  const figureName = `${METRICS[metric].label} of ${name}`;
                  return (
                    <div key={metric}>
                      <dt className="font-mono text-label text-muted">{METRICS[metric].label}</dt>
                      <dd>{value === undefined ? '–' : <FigureButton {...{ figureName, value }} onOpen={open} />}</dd>
                    </div>
                  );
                })}
              </dl>
            </li>
          ))}
        </ul>
      </Card>
    </section>
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

/** Campaigns in a channel's total. Each number opens its rows. */
function TotalDialog({ channel, metric, title, onOpen, onClose }: TotalDialogProps) {
  const { label } = METRICS[metric];
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`${label}: ${formatCount(totalOf(channel, metric))}`}
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
                  figureName={`${label} of ${name}`}
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
