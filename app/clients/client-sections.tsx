import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Approvals } from './approvals/approval-list.tsx';
import { CampaignList } from './campaigns/campaign-list.tsx';
import { homeQuery, noteReadMutation, type PendingItem } from './client-home.ts';
import { ClientTabs } from './client-tabs.tsx';
import type { Client } from './clients.ts';
import { DoNotContact } from './do-not-contact/do-not-contact-list.tsx';
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
  /** Settings of the member. Omitted in the impersonated view. */
  settings?: ReactNode;
}

/** Time in milliseconds that an item must be on screen to count as read. */
const READING_MS = 1500;

/** Portal of a client, with a tab for each kind of content. Tabs for the team are registered in TeamSections. */
export function ClientSections(props: ClientSectionsProps) {
  const { client, openTab, isImpersonated = false, isApprover = false, settings } = props;
  const { data: home } = useQuery(homeQuery(client.id));
  const { mutate: noteRead } = useMutation(noteReadMutation);
  useEffect(() => {
    if (!isImpersonated) noteRead({ clientId: client.id });
  }, [noteRead, client.id, isImpersonated]);
  const section = { client, isImpersonated, headingLevel: 3 } as const;
  const countOf = (...kinds: PendingItem['kind'][]) => home?.waiting.filter(({ kind }) => kinds.includes(kind)).length;
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
      count: countOf('approval'),
      content: <ApprovalsSection {...props} />,
    },
    {
      value: 'leads',
      label: 'Leads',
      count: countOf('lead'),
      content: <Leads {...section} openTab={openTab} canChange={isApprover} />,
    },
    {
      value: 'meetings',
      label: 'Meetings',
      count: countOf('meeting', 'result'),
      content: <Meetings {...section} canAnswer={isApprover} />,
    },
    {
      value: 'figures',
      label: 'Figures',
      count: countOf('quote'),
      content: (
        <>
          <Quotes {...section} canAnswer={isApprover} />
          <FigureWeeks client={client} isImpersonated={isImpersonated} />
        </>
      ),
    },
    { value: 'reports', label: 'Reports', content: <ClientReports {...section} /> },
    { value: 'files', label: 'Files', content: <Files {...section} /> },
    { value: 'blocklist', label: 'Blocklist', content: <DoNotContact {...section} /> },
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

/** Shows the approvals and records pending approvals as read after `READING_MS`. */
function ApprovalsSection({ client, isImpersonated = false, isApprover = false }: ClientSectionsProps) {
  const { data: home } = useQuery(homeQuery(client.id));
  const { mutate: noteRead } = useMutation(noteReadMutation);
  const pendingIds = home?.waiting.flatMap(({ kind, id }) => (kind === 'approval' ? [id] : [])).join() ?? '';
  useEffect(() => {
    if (isImpersonated || pendingIds === '') return;
    const timer = setTimeout(() => noteRead({ clientId: client.id, approvals: pendingIds.split(',') }), READING_MS);
    return () => clearTimeout(timer);
  }, [noteRead, client.id, isImpersonated, pendingIds]);
  return <Approvals client={client} isImpersonated={isImpersonated} canDecide={isApprover} headingLevel={3} />;
}
