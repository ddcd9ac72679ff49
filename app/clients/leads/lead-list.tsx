import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { Download, Plus, Webhook } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ActionsMenu, DropdownItem } from '../../ui/dropdown-menu.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { Select } from '../../ui/select.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { Client } from '../clients.ts';
import type { OpenTab } from '../open-tab.ts';
import { LeadDialog } from './lead-dialog.tsx';
import { LeadRow } from './lead-row.tsx';
import { LEAD_STATUSES, type LeadStatus } from './lead-schema.ts';
import { LeadSheet } from './lead-sheet.tsx';
import { exportLeadsMutation, isLeadStatus, leadsQuery } from './leads.ts';
import { WebhookSheet } from './webhook/webhook-sheet.tsx';

/** Search and filters are shown if there are more leads. */
const MAX_UNFILTERED = 8;

interface LeadsProps {
  client: Pick<Client, 'id' | 'name' | 'campaigns'>;
  openTab: OpenTab;
  /** True for team members, who can also add and delete leads. */
  isTeam?: boolean;
  isImpersonated?: boolean;
  /** True for approvers and the team. */
  canChange?: boolean;
  headingLevel: 2 | 3;
}

/** Lists a client's leads, new leads first. An open lead is shown in a panel and has a URL for links in emails. */
export function Leads(props: LeadsProps) {
  const { client, openTab, isTeam = false, isImpersonated = false, canChange = false, headingLevel } = props;
  const Heading = `h${headingLevel}` as const;
  const [page, setPage] = useState(1);
  const [search, setSearch] = useState<string>();
  const [status, setStatus] = useState<LeadStatus>();
  const linkedId = useLocation({ select: ({ hash }) => /^lead-(.+)$/.exec(hash)?.[1] });
  // The impersonated view has no URL.
  const [viewedId, setViewedId] = useState<string>();
  const openId = isImpersonated ? viewedId : linkedId;
  const show = (id?: string) => (isImpersonated ? setViewedId(id) : openTab.open('leads', id && `lead-${id}`));
  const { data, error, isPending, refetch } = useQuery(leadsQuery(client.id, { page, search, status }));
  return (
    <section aria-label={isImpersonated ? undefined : `Leads, ${client.name}`}>
      <Card className="@container grid grid-cols-1 gap-4 p-5">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <Heading className="text-lg font-semibold">Leads</Heading>
          <ListActions
            client={client}
            isTeam={isTeam}
            isEmpty={!data?.all_count}
            canManageWebhook={canChange && !isImpersonated}
          />
        </div>
        {data && data.all_count > MAX_UNFILTERED && (
          <Filters
            search={search}
            status={status}
            onSearch={(text) => {
              setSearch(text);
              setPage(1);
            }}
            onStatus={(value) => {
              setStatus(value);
              setPage(1);
            }}
          />
        )}
        {isPending && <Skeleton className="h-28 rounded-md" />}
        {error && <LoadError error={error} onRetry={() => void refetch()} />}
        {data?.all_count === 0 && (
          <p className="measure text-muted">
            {isTeam
              ? 'No leads yet. Replies that the campaign’s provider marks as interested appear here, or you can add a lead yourself.'
              : 'No leads yet. When someone answers a campaign with interest, we email you, and their reply appears here.'}
          </p>
        )}
        {data && data.all_count > 0 && data.count === 0 && <p className="text-muted">No leads match your search.</p>}
        {data && data.items.length > 0 && (
          <ul className="-mx-5 grid grid-cols-1 divide-y divide-line border-y border-line last:-mb-5 last:border-b-0">
            {data.items.map((lead) => (
              <LeadRow key={lead.id} lead={lead} onOpen={() => show(lead.id)} />
            ))}
          </ul>
        )}
        <Pagination page={page} count={data?.count} onPageChange={setPage} />
      </Card>
      {openId !== undefined && (
        <LeadSheet
          key={openId}
          client={client}
          id={openId}
          isTeam={isTeam}
          canChange={canChange}
          openTab={openTab}
          onClose={() => show()}
        />
      )}
    </section>
  );
}

interface ListActionsProps extends Pick<LeadsProps, 'client'> {
  isTeam: boolean;
  isEmpty: boolean;
  canManageWebhook: boolean;
}

function ListActions({ client, isTeam, isEmpty, canManageWebhook }: ListActionsProps) {
  const [dialog, setDialog] = useState<'lead' | 'webhook' | null>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  const close = () => setDialog(null);
  const exportAll = useMutationWithToasts(exportLeadsMutation, {
    success: 'Leads downloaded',
    failure: 'Could not download the leads',
  });
  return (
    <div className="flex items-center gap-2">
      {(!isEmpty || canManageWebhook) && (
        <ActionsMenu ref={trigger} loading={exportAll.isPending} aria-label={`Actions for the leads of ${client.name}`}>
          {!isEmpty && (
            <DropdownItem onSelect={() => exportAll.mutate({ clientId: client.id })}>
              <Download aria-hidden="true" />
              Download CSV
            </DropdownItem>
          )}
          {canManageWebhook && (
            <DropdownItem onSelect={() => setDialog('webhook')}>
              <Webhook aria-hidden="true" />
              Webhook
            </DropdownItem>
          )}
        </ActionsMenu>
      )}
      {isTeam && (
        <Button size="sm" aria-label={`Add a lead for ${client.name}`} onClick={() => setDialog('lead')}>
          <Plus aria-hidden="true" />
          Add lead
        </Button>
      )}
      {dialog === 'lead' && <LeadDialog client={client} onClose={close} />}
      {dialog === 'webhook' && <WebhookSheet client={client} focusAfter={trigger} onClose={close} />}
    </div>
  );
}

interface FiltersProps {
  search: string | undefined;
  status: LeadStatus | undefined;
  onSearch: (text: string | undefined) => void;
  onStatus: (status: LeadStatus | undefined) => void;
}

function Filters({ search, status, onSearch, onStatus }: FiltersProps) {
  return (
    <div className="flex flex-wrap gap-3">
      <SearchBox label="Search leads" value={search} onSearch={onSearch} />
      <Select
        aria-label="Status"
        className="max-sm:basis-full"
        value={status ?? ''}
        onChange={({ target }) => onStatus(isLeadStatus(target.value) ? target.value : undefined)}
      >
        <option value="">All statuses</option>
        {Object.entries(LEAD_STATUSES).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
    </div>
  );
}
