import { CalendarCheck, ChevronRight, FileText, Handshake, Quote, UserPlus } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { formatDay } from '../../ui/lib/zoned-times.ts';
import type { Home, PendingItem } from '../client-home.ts';
import type { Client } from '../clients.ts';
import { currentDate } from '../figures/progress.ts';
import { ITEM_TABS, type OpenTab } from '../open-tab.ts';

const ICONS = { approval: FileText, meeting: CalendarCheck, quote: Quote, lead: UserPlus, result: Handshake };
const ACTIONS = { approval: 'Approve', meeting: 'Answer', quote: 'Answer', lead: 'Take', result: 'Report' };

/** Number of items shown while the list is collapsed. */
const COLLAPSED_ITEMS = 3;

interface PendingListProps {
  client: Client;
  home: Home;
  openTab: OpenTab;
  isImpersonated: boolean;
  /** False for viewers, who see the items without actions. */
  isApprover: boolean;
}

/** Lists a client's pending items by due date. Each line opens the item in its tab. */
export function PendingList({ client, home, openTab, isImpersonated, isApprover }: PendingListProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [showsAll, setShowsAll] = useState(false);
  const visibleItems = showsAll ? home.waiting : home.waiting.slice(0, COLLAPSED_ITEMS);
  const hiddenCount = home.waiting_count - visibleItems.length;
  const showAll = () => {
    setShowsAll(true);
    // The pressed button is removed, so move focus to the heading.
    heading.current?.focus({ preventScroll: true });
  };
  return (
    <section
      aria-label={isImpersonated ? undefined : `Waiting for you, ${client.name}`}
      className="grid grid-cols-1 gap-1.5"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h3 ref={heading} tabIndex={-1} className="scroll-mt-24 text-lg font-semibold">
          Waiting for you
        </h3>
        {hiddenCount > 0 && !showsAll && (
          <Button variant="link" onClick={showAll}>
            {`Show ${hiddenCount.toLocaleString('en-GB')} more`}
          </Button>
        )}
      </div>
      {home.waiting.length === 0 && (
        <Card className="flex min-h-11 items-center px-4">
          <p className="text-muted">Nothing needs your answer.</p>
        </Card>
      )}
      {visibleItems.length > 0 && (
        <Card>
          <ul className="grid grid-cols-1 divide-y divide-line">
            {visibleItems.map((item) => (
              <PendingLine key={`${item.kind} ${item.id}`} {...{ client, item, openTab, isApprover }} />
            ))}
          </ul>
        </Card>
      )}
      {hiddenCount > 0 && showsAll && (
        <p className="text-sm text-muted">See Approvals, Meetings and Leads for the rest.</p>
      )}
    </section>
  );
}

interface PendingLineProps extends Omit<PendingListProps, 'home' | 'isImpersonated'> {
  item: PendingItem;
}

function PendingLine({ client, item, openTab, isApprover }: PendingLineProps) {
  const [today] = useState(() => currentDate(client, new Date().toISOString()));
  const Icon = ICONS[item.kind];
  const target = item.kind === 'result' ? 'meeting' : item.kind;
  const isLate = item.due_on !== null && item.due_on < today;
  return (
    <li>
      <button
        type="button"
        className="flex min-h-11 w-full items-center gap-3 rounded-lg px-4 text-left hover:bg-sunken"
        onClick={() => openTab.open(ITEM_TABS[target], `${target}-${item.id}`)}
      >
        <Icon aria-hidden="true" className="size-4.5 shrink-0 text-accent" />
        <span className="grid min-w-0 flex-1 grid-cols-1 items-baseline gap-x-3 leading-5 sm:grid-cols-[minmax(0,1fr)_auto]">
          <span className="truncate max-sm:text-[0.9375rem]">{formatTitle(item)}</span>
          <span className="flex gap-1 text-sm leading-5">
            {isApprover && <span className="font-medium text-accent">{ACTIONS[item.kind]}</span>}
            {item.due_on && (
              <span className={isLate ? 'text-warning' : 'text-muted'}>
                {`${isLate ? 'was due' : 'by'} ${formatDay(item.due_on, { day: 'numeric', month: 'short' })}`}
              </span>
            )}
          </span>
        </span>
        <ChevronRight aria-hidden="true" className="size-4.5 shrink-0 text-muted" />
      </button>
    </li>
  );
}

function formatTitle({ kind, title }: PendingItem): string {
  if (kind === 'meeting') return `Meeting with ${title}`;
  if (kind === 'result') return `Result of the meeting with ${title}`;
  if (kind === 'lead') return `New lead: ${title}`;
  return kind === 'quote' ? `May we quote “${title}”?` : title;
}
