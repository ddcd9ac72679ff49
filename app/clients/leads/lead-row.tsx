import { clsx } from 'clsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { type ListedLead, leadName } from './lead-schema.ts';
import { StatusBadge } from './status-badge.tsx';

/** Shows a lead in two lines, or in columns if the list is wide. */
export function LeadRow({ lead, onOpen }: { lead: ListedLead; onOpen: () => void }) {
  const { campaign, status, received_at, taken_by } = lead;
  const name = leadName(lead);
  const company = lead.company === name ? '' : lead.company;
  // The name is an email address if the account has no name.
  const [owner] = taken_by.split('@');
  return (
    <li>
      <button
        type="button"
        className="grid min-h-14 w-full grid-cols-[minmax(0,1fr)_fit-content(45%)] items-center gap-x-4 gap-y-0.5 px-5 py-2.5 text-left hover:bg-sunken @4xl:grid-cols-[minmax(0,4fr)_minmax(0,4fr)_minmax(0,5fr)_minmax(0,3fr)_6rem_6rem]"
        onClick={onOpen}
      >
        <span className="truncate font-medium">{name}</span>
        <span className="self-start text-sm text-muted @max-4xl:line-clamp-2 @max-4xl:row-start-2 @4xl:contents">
          <span className="@4xl:truncate">{company}</span>
          <span className={clsx('@4xl:truncate', company && campaign && "@max-4xl:before:content-[',_']")}>
            {campaign}
          </span>
        </span>
        <span className="flex min-w-0 justify-end gap-1 self-start text-sm whitespace-nowrap text-muted max-sm:flex-col max-sm:items-end max-sm:gap-0 @max-4xl:row-start-2 @4xl:contents">
          <span className="max-w-full truncate">{owner}</span>
          <span className={clsx(owner && "sm:@max-4xl:before:mr-1 sm:@max-4xl:before:content-['·']")}>
            <RelativeTime at={received_at} />
          </span>
        </span>
        <span className="flex justify-end @max-4xl:col-start-2 @max-4xl:row-start-1">
          <StatusBadge status={status} />
        </span>
      </button>
    </li>
  );
}
