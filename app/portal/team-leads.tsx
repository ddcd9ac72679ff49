import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { type ReactNode, useState } from 'react';
import { FollowUpForm } from '../leads/follow-up-form.tsx';
import { LeadStatusBadge, leadName } from '../leads/lead-labels.tsx';
import { LEAD_SOURCES, type Lead, leadsQuery } from '../leads/leads.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { formatTime } from '../ui/lib/format-time.ts';
import { LoadError } from '../ui/load-error.tsx';
import { Pagination } from '../ui/pagination.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

interface TeamLeadsProps {
  /** ID of the team member. */
  userId: string;
}

/** Lists the team member's leads, with a button that shows all leads. */
export default function TeamLeads({ userId }: TeamLeadsProps) {
  const [page, setPage] = useState(1);
  const [selectedFilter, setSelectedFilter] = useState<'own' | 'all'>();
  const ownLeads = useQuery(leadsQuery({ page: 1, owner: userId }));
  // Default to all leads if the team member owns none.
  const filter = selectedFilter ?? (ownLeads.data?.count === 0 ? 'all' : 'own');
  const { data, error, isPending, refetch } = useQuery(
    leadsQuery({ page, owner: filter === 'own' ? userId : undefined }),
  );
  const applyFilter = (owner: 'own' | 'all') => {
    setSelectedFilter(owner);
    setPage(1);
  };
  return (
    <section aria-labelledby="leads-heading" className="grid grid-cols-1 gap-2.5">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h2 id="leads-heading" className="text-lg font-semibold">
          Leads
        </h2>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend above the two buttons */}
        <div role="group" aria-label="Filter by owner" className="flex gap-2">
          <ChoiceButton isSelected={filter === 'own'} onClick={() => applyFilter('own')}>
            Yours
          </ChoiceButton>
          <ChoiceButton isSelected={filter === 'all'} onClick={() => applyFilter('all')}>
            All leads
          </ChoiceButton>
        </div>
      </div>
      {isPending && (
        <div className="grid gap-3">
          <p role="status" className="text-muted">
            Loading leads...
          </p>
          <Skeleton className="h-20 rounded-lg" />
        </div>
      )}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {data?.count === 0 && (
        <p className="text-muted">
          {filter === 'own'
            ? 'You do not own any leads. To take one, open All leads and choose Follow up.'
            : 'No leads yet. Visitors who leave their address appear here.'}
        </p>
      )}
      {data && data.items.length > 0 && (
        <Card>
          <ul className="grid grid-cols-1 divide-y divide-line px-4 sm:px-5">
            {data.items.map((lead) => (
              <TeamLead key={lead.id} lead={lead} />
            ))}
          </ul>
        </Card>
      )}
      <Pagination page={page} count={data?.count} onPageChange={setPage} />
    </section>
  );
}

interface ChoiceButtonProps {
  isSelected: boolean;
  onClick: () => void;
  children: ReactNode;
}

function ChoiceButton({ isSelected, onClick, children }: ChoiceButtonProps) {
  return (
    <Button
      variant={isSelected ? 'secondary' : 'ghost'}
      size="sm"
      aria-pressed={isSelected}
      className={clsx(!isSelected && 'text-muted')}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}

function TeamLead({ lead }: { lead: Lead }) {
  const [isOpen, setOpen] = useState(false);
  const details = [
    LEAD_SOURCES[lead.source],
    formatTime(lead.created_at),
    lead.name && lead.email,
    lead.phone,
    lead.call_time,
  ];
  return (
    <li className="grid min-h-14 grid-cols-1 content-center gap-3 py-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <div className="min-w-0 grow basis-60">
          <h3 className="truncate font-medium">{leadName(lead)}</h3>
          {!isOpen && (
            <p className="truncate text-sm text-muted">{[...details, lead.message].filter(Boolean).join(' · ')}</p>
          )}
        </div>
        <LeadStatusBadge status={lead.status} />
        <Button
          variant="secondary"
          size="sm"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? 'Close' : 'Follow up'}: ${leadName(lead)}`}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Close' : 'Follow up'}
        </Button>
      </div>
      {isOpen && (
        <>
          <p className="text-sm text-muted [overflow-wrap:anywhere]">{details.filter(Boolean).join(' · ')}</p>
          {lead.message !== '' && (
            <p className="measure whitespace-pre-wrap [overflow-wrap:anywhere]">{lead.message}</p>
          )}
          <FollowUpForm lead={lead} />
        </>
      )}
    </li>
  );
}
