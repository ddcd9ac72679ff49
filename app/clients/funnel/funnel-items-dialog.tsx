import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatDate } from '../../ui/lib/format-date.ts';
import { formatTime } from '../../ui/lib/format-time.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { formatCount, formatPeriod, type Period } from '../figures/progress.ts';
import { LEAD_STATUSES } from '../leads/lead-schema.ts';
import { CHANGES, meetingName } from '../meetings/meeting-details.ts';
import { formatReport } from '../meetings/result-form.ts';
import type { OpenTab } from '../open-tab.ts';
import { type FunnelItem, funnelItemsQuery } from './funnel.ts';
import { type ItemStep, NOT_REPORTED, STEPS } from './funnel-schema.ts';

/** Descriptions of the items counted in each step. */
const DESCRIPTIONS: Record<ItemStep, string> = {
  interested: 'Leads who replied in this period.',
  booked: 'Meetings booked in this period.',
  held: 'Meetings booked in this period and held. Disputed meetings are not counted.',
  opportunities: 'Meetings booked in this period whose latest result is an opportunity.',
  won: 'Meetings booked in this period whose latest result is a won deal.',
  not_reported: 'Meetings booked in this period that were held but have no reported result.',
};

interface FunnelItemsDialogProps {
  client: { id: string; currency: string };
  period: Period;
  step: ItemStep;
  /** Count shown in the funnel. A sent report can show an older count than the list. */
  count: number;
  onOpen: OpenTab['open'];
  onClose: () => void;
}

/** Lists the leads or meetings counted in a step. Each item opens in its tab. */
export function FunnelItemsDialog({ client, period, step, count, onOpen, onClose }: FunnelItemsDialogProps) {
  const [page, setPage] = useState(1);
  const { data, error, isPending, refetch } = useQuery(funnelItemsQuery(client.id, period, step, page));
  const label = step === 'not_reported' ? NOT_REPORTED : STEPS[step];
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={data ? `${label}: ${formatCount(data.count)}` : label}
      description={`${formatPeriod(period)}. ${DESCRIPTIONS[step]}`}
    >
      {isPending && <Skeleton className="h-40 rounded-md" />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {data && page === 1 && data.count !== count && (
        <p role="note" className="text-sm text-muted">
          {`The funnel showed ${formatCount(count)}. This list shows the current data, so the count may differ.`}
        </p>
      )}
      {data?.items.length === 0 && (
        <p className="text-muted">{`No ${step === 'interested' ? 'leads' : 'meetings'} in this period.`}</p>
      )}
      {data && data.items.length > 0 && (
        <ul className="grid grid-cols-1 divide-y divide-line border-t border-line">
          {data.items.map((item) => (
            <Item key={item.id} item={item} isLead={step === 'interested'} currency={client.currency} onOpen={onOpen} />
          ))}
        </ul>
      )}
      <Pagination page={page} count={data?.count} onPageChange={setPage} />
    </Dialog>
  );
}

interface ItemProps {
  item: FunnelItem;
  isLead: boolean;
  currency: string;
  onOpen: OpenTab['open'];
}

function Item({ item, isLead, currency, onOpen }: ItemProps) {
  const { id, at, day, lead, lead_id } = item;
  return (
    <li className="grid justify-items-start gap-1 py-3">
      <Button
        variant="link"
        className="text-left whitespace-normal [overflow-wrap:anywhere]"
        onClick={() => (isLead ? onOpen('leads', `lead-${id}`) : onOpen('meetings', `meeting-${id}`))}
      >
        {isLead ? item.name : meetingName({ met_with: item.name })}
      </Button>
      <p className="text-sm text-muted [overflow-wrap:anywhere]">
        <span className="font-medium text-ink">{formatState(item, currency)}</span>
        <time dateTime={at ?? day}>{at === null ? `, booked on ${formatDate(day)}` : `, ${formatTime(at)}`}</time>
      </p>
      {lead !== null && lead_id !== null && (
        <Button
          variant="link"
          className="text-left text-sm whitespace-normal [overflow-wrap:anywhere]"
          onClick={() => onOpen('leads', `lead-${lead_id}`)}
        >
          {`Lead: ${lead}`}
        </Button>
      )}
    </li>
  );
}

/** Formats the result of a held meeting, such as 'Won, NOK 9,000', or the status of the meeting or lead. */
function formatState({ status, result, amount }: FunnelItem, currency: string): string {
  if (result !== null) return formatReport({ status: result, amount }, currency);
  return status === 'held' ? `Held, result ${NOT_REPORTED.toLowerCase()}` : { ...CHANGES, ...LEAD_STATUSES }[status];
}
