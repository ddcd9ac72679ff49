import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Download, Inbox, Mails, Webhook } from 'lucide-react';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { download } from '../../ui/lib/download.ts';
import { CardList, ROW_LINK_CLASS } from '../../ui/list/card-list.tsx';
import { FilterBar } from '../../ui/list/filter-bar.tsx';
import { ItemCount } from '../../ui/list/item-count.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { HEADER_BUTTON_CLASS, HEADER_LABEL_CLASS, ScreenHeader } from '../../ui/screen-header.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { Select } from '../../ui/select.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { isSource, isStatus, LeadStatusBadge, leadName } from '../lead-labels.tsx';
import {
  exportLeadsMutation,
  LEAD_SOURCES,
  LEAD_STATUSES,
  type Lead,
  type LeadFilter,
  leadOwnersQuery,
  leadsQuery,
} from '../leads.ts';
import { type LeadSearch, readLeadSearch } from './lead-search.ts';

/** Lists leads, newest first. */
export function LeadsList({ search }: { search: LeadSearch }) {
  const { q = '', status = '', source = '', page = 1 } = search;
  const filter: LeadFilter = {
    search: q,
    status: isStatus(status) ? status : undefined,
    source: isSource(source) ? source : undefined,
  };
  const list = useQuery(leadsQuery({ page, ...filter }));
  const { items = [], count } = list.data ?? {};
  const isFiltered = q !== '' || status !== '' || source !== '' || page > 1;
  return (
    <div className="@container grid grid-cols-1 gap-6">
      <ScreenHeader
        title="Leads"
        isInline
        description="Visitors who want to hear from you."
        action={
          <div className="flex gap-2 sm:gap-3">
            <ButtonLink to="/admin/leads/subscribers" variant="secondary" className={HEADER_BUTTON_CLASS}>
              <Mails aria-hidden="true" />
              <span className={HEADER_LABEL_CLASS}>Newsletter</span>
            </ButtonLink>
            <ButtonLink to="/admin/leads/webhook" variant="secondary" className={HEADER_BUTTON_CLASS}>
              <Webhook aria-hidden="true" />
              <span className={HEADER_LABEL_CLASS}>Webhook</span>
            </ButtonLink>
            {items.length > 0 && <ExportLeads filter={filter} />}
          </div>
        }
      />
      {(isFiltered || items.length > 0) && <Filters search={search} count={count} />}
      <CardList query={list} page={page} loading="Loading leads..." empty={<NoLeads isFiltered={isFiltered} />}>
        {(lead) => <LeadRow lead={lead} />}
      </CardList>
    </div>
  );
}

/** Renders the search and the filters. The URL stores them, so that they survive Back and can be shared. */
function Filters({ search, count }: { search: LeadSearch; count: number | undefined }) {
  const navigate = useNavigate();
  const { page: _page, ...filter } = search;
  const apply = (next: Record<string, unknown>) =>
    void navigate({ to: '/admin/leads', search: readLeadSearch({ ...filter, ...next }), replace: true });
  return (
    <FilterBar
      search={<SearchBox label="Search leads" value={search.q} onSearch={(q) => apply({ q })} />}
      count={<ItemCount count={count} singular="lead" plural="leads" />}
      isFiltered={search.status !== undefined || search.source !== undefined}
    >
      <Select
        aria-label="Filter by status"
        value={search.status ?? ''}
        onChange={(event) => apply({ status: event.target.value })}
        className="w-40"
      >
        <option value="">Any status</option>
        {Object.entries(LEAD_STATUSES).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Filter by source"
        value={search.source ?? ''}
        onChange={(event) => apply({ source: event.target.value })}
        className="w-40"
      >
        <option value="">Any source</option>
        {Object.entries(LEAD_SOURCES).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
    </FilterBar>
  );
}

/** Shows contact, message and status in columns, or stacked if the list is narrow. */
function LeadRow({ lead }: { lead: Lead }) {
  const { data: owners } = useQuery(leadOwnersQuery);
  const owner = owners?.find(({ id }) => id === lead.owner_id);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-6 gap-y-1 [grid-template-areas:'who_status'_'text_text'] @2xl:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_6rem] @2xl:[grid-template-areas:'who_text_status']">
      <div className="min-w-0 [grid-area:who]">
        <h2 className="font-medium [overflow-wrap:anywhere]">
          <Link to="/admin/leads/$id" params={{ id: lead.id }} className={ROW_LINK_CLASS}>
            {leadName(lead)}
          </Link>
        </h2>
        {lead.name !== '' && (
          <p title={lead.email} className="truncate text-sm text-muted">
            {lead.email}
          </p>
        )}
      </div>
      <div className="min-w-0 [grid-area:text]">
        {lead.message !== '' && (
          <p className="line-clamp-2 text-[0.9375rem] [overflow-wrap:anywhere] @2xl:line-clamp-1">{lead.message}</p>
        )}
        <p className="text-sm text-muted">
          {LEAD_SOURCES[lead.source]} · <RelativeTime at={lead.created_at} />
          <span>{owner && ` · ${owner.name}`}</span>
        </p>
      </div>
      <span className="[grid-area:status] @2xl:justify-self-end">
        <LeadStatusBadge status={lead.status} />
      </span>
    </div>
  );
}

function ExportLeads({ filter }: { filter: LeadFilter }) {
  const exportLeads = useMutationWithToasts(exportLeadsMutation, { failure: 'Could not export the leads' });
  return (
    <Button
      variant="secondary"
      className={HEADER_BUTTON_CLASS}
      loading={exportLeads.isPending}
      onClick={() => exportLeads.mutate(filter, { onSuccess: (text) => download(text, 'leads.csv', 'text/csv') })}
      icon={Download}
    >
      <span className={HEADER_LABEL_CLASS}>Export as CSV</span>
    </Button>
  );
}

function NoLeads({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState
        title="No leads found"
        description="No leads match this search and these filters."
        action={
          <ButtonLink to="/admin/leads" variant="secondary">
            Show all leads
          </ButtonLink>
        }
      />
    );
  }
  return (
    <EmptyState
      icon={Inbox}
      title="No leads yet"
      description="In the settings, allow visitors to send contact form messages or to leave their email address in the chat. You can also create a lead from a conversation."
      action={
        <>
          <ButtonLink to="/admin/settings">Open settings</ButtonLink>
          <ButtonLink to="/admin/conversations" variant="secondary">
            Read conversations
          </ButtonLink>
        </>
      }
    />
  );
}
