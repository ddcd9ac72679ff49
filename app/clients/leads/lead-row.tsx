import { RelativeTime } from '../../ui/relative-time.tsx';
import { type ListedLead, leadName } from './lead-schema.ts';
import { StatusBadge } from './status-badge.tsx';

/** Shows a lead's person and status, and either the time of the reply or the member who took the lead. */
export function LeadRow({ lead, onOpen }: { lead: ListedLead; onOpen: () => void }) {
  const { company, campaign, status, received_at, taken_by } = lead;
  const name = leadName(lead);
  const subtitle = [company === name ? '' : company, campaign].filter(Boolean).join(', ');
  return (
    <li>
      <button
        type="button"
        className="flex min-h-14 w-full items-center gap-x-4 px-5 py-2.5 text-left hover:bg-sunken"
        onClick={onOpen}
      >
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">{name}</span>
          <span className="text-sm text-muted max-sm:line-clamp-2 sm:block sm:truncate">{subtitle}</span>
        </span>
        <span className="flex max-w-2/5 shrink-0 flex-col items-end gap-x-4 gap-y-1 sm:flex-row-reverse sm:items-center">
          <StatusBadge status={status} />
          <span className="max-w-full min-w-0 truncate text-sm text-muted">
            {status === 'new' || taken_by === '' ? <RelativeTime at={received_at} /> : taken_by}
          </span>
        </span>
      </button>
    </li>
  );
}
