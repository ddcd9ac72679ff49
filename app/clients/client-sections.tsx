import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Approvals } from './approvals/approval-list.tsx';
import { BlocklistSection } from './blocklist/blocklist-section.tsx';
import { CampaignList } from './campaigns/campaign-list.tsx';
import { homeQuery, type PendingItem, recordReadMutation } from './client-home.ts';
import { ClientTabs } from './client-tabs.tsx';
import type { Client } from './clients.ts';
import { FigureWeeks } from './figures/figure-weeks.tsx';
import { Quotes } from './figures/quote-list.tsx';
import { Files } from './files/file-list.tsx';
import { ClientFunnel } from './funnel/client-funnel.tsx';
import { ClientHome } from './home/client-home.tsx';
import { Leads } from './leads/lead-list.tsx';
import { Meetings } from './meetings/meeting-list.tsx';
import { type OpenTab, OVERVIEW } from './open-tab.ts';
import { ClientReports } from './reports/client-reports.tsx';

export interface ClientSectionsProps {
  client: Client;
  openTab: OpenTab;
  /** True in the impersonated view, which is read-only and does not record reads. */
  isImpersonated?: boolean;
  /** Approvers can approve or decline requests, change leads, accept or dispute meetings, and report their results. */
  isApprover?: boolean;
  /** The member's settings. Omitted in the impersonated view. */
  settings?: ReactNode;
}

/** Time in milliseconds that an item must be on screen to count as read. */
const READ_MS = 1500;

/** A client's portal, with a tab for each kind of content. Tabs for the team are registered in TeamSections. */
export function ClientSections(props: ClientSectionsProps) {
  const { client, openTab, isImpersonated = false, isApprover = false, settings } = props;
  const { data: home } = useQuery(homeQuery(client.id));
  const { mutate: recordRead } = useMutation(recordReadMutation);
  useEffect(() => {
    if (!isImpersonated) recordRead({ clientId: client.id });
  }, [recordRead, client.id, isImpersonated]);
  const section = { client, isImpersonated, headingLevel: 3 } as const;
  const countPending = (...kinds: PendingItem['kind'][]) =>
    home?.waiting.filter(({ kind }) => kinds.includes(kind)).length;
  const tabs = [
    {
      value: OVERVIEW,
      label: 'Overview',
      content: (
        <>
          <ClientHome {...{ client, openTab, isImpersonated, isApprover }} />
          <ClientFunnel {...section} openTab={openTab} />
          <CampaignsSection client={client} />
        </>
      ),
    },
    {
      value: 'approvals',
      label: 'Approvals',
      count: countPending('approval'),
      content: <ApprovalsSection {...props} />,
    },
    {
      value: 'leads',
      label: 'Leads',
      count: countPending('lead'),
      content: <Leads {...section} openTab={openTab} canChange={isApprover} />,
    },
    {
      value: 'meetings',
      label: 'Meetings',
      count: countPending('meeting', 'result'),
      content: <Meetings {...section} canAnswer={isApprover} />,
    },
    {
      value: 'figures',
      label: 'Figures',
      count: countPending('quote'),
      content: (
        <>
          <Quotes {...section} canAnswer={isApprover} />
          <FigureWeeks client={client} isImpersonated={isImpersonated} />
        </>
      ),
    },
    { value: 'reports', label: 'Reports', content: <ClientReports {...section} /> },
    { value: 'files', label: 'Files', content: <Files {...section} /> },
    { value: 'blocklist', label: 'Blocklist', content: <BlocklistSection {...section} /> },
  ];
  if (settings) tabs.push({ value: 'notifications', label: 'Notifications', content: <>{settings}</> });
  return <ClientTabs label={`Sections of ${client.name}`} openTab={openTab} tabs={tabs} />;
}

function CampaignsSection({ client }: { client: Client }) {
  return (
    <div className="grid grid-cols-1 gap-3">
      <h3 className="text-lg font-semibold">Campaigns</h3>
      <CampaignList campaigns={client.campaigns} headingLevel={4} />
    </div>
  );
}

/** Shows the approvals and records pending approvals as read after `READ_MS`. */
function ApprovalsSection({ client, isImpersonated = false, isApprover = false }: ClientSectionsProps) {
  const { data: home } = useQuery(homeQuery(client.id));
  const { mutate: recordRead } = useMutation(recordReadMutation);
  const pendingIds = home?.waiting.flatMap(({ kind, id }) => (kind === 'approval' ? [id] : [])).join() ?? '';
  useEffect(() => {
    if (isImpersonated || pendingIds === '') return;
    const timer = setTimeout(() => recordRead({ clientId: client.id, approvals: pendingIds.split(',') }), READ_MS);
    return () => clearTimeout(timer);
  }, [recordRead, client.id, isImpersonated, pendingIds]);
  return <Approvals client={client} isImpersonated={isImpersonated} canDecide={isApprover} headingLevel={3} />;
}
