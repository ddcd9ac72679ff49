import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Approvals } from './approvals/approval-list.tsx';
import { approvalsQuery } from './approvals/approvals.ts';
import { BlocklistSection } from './blocklist/blocklist-section.tsx';
import { AddCampaign } from './campaigns/campaign-actions.tsx';
import { CampaignList } from './campaigns/campaign-list.tsx';
import { ClientHead } from './client-head.tsx';
import { ClientTabs } from './client-tabs.tsx';
import type { Client } from './clients.ts';
import { FeeCard } from './fees/fee-card.tsx';
import { ClientFigures } from './figures/client-figures.tsx';
import { ClientProgress } from './figures/client-progress.tsx';
import { FigureWeeks } from './figures/figure-weeks.tsx';
import { Quotes } from './figures/quote-list.tsx';
import { Files } from './files/file-list.tsx';
import { ClientFunnel } from './funnel/client-funnel.tsx';
import { Leads } from './leads/lead-list.tsx';
import { leadsQuery } from './leads/leads.ts';
import { Meetings } from './meetings/meeting-list.tsx';
import { meetingsQuery } from './meetings/meetings.ts';
import { Notes } from './note-list.tsx';
import { type OpenTab, OVERVIEW, useOpenTab } from './open-tab.ts';
import { ClientReports } from './reports/client-reports.tsx';
import { ClientAlarms } from './sources/client-alarms.tsx';
import { Sources } from './sources/source-list.tsx';

/**
 * Client page for the team, in the admin area and on the team dashboard, with a tab for each kind of content. Tabs for
 * the client are registered in ClientSections.
 */
export function TeamSections({ client, people }: { client: Client; people: ReactNode }) {
  // The tabs use the same queries, so the counts need no extra requests.
  const { data: approvals } = useQuery(approvalsQuery(client.id, 1));
  const { data: meetings } = useQuery(meetingsQuery(client.id, 1));
  const { data: leads } = useQuery(leadsQuery(client.id));
  const openTab = useOpenTab();
  const section = { client, headingLevel: 2 } as const;
  return (
    <div className="@container grid grid-cols-1 gap-6">
      <ClientHead client={client} />
      <ClientAlarms {...section} />
      <ClientTabs
        label={`Sections of ${client.name}`}
        openTab={openTab}
        tabs={[
          { value: OVERVIEW, label: 'Overview', content: <TeamOverview client={client} openTab={openTab} /> },
          {
            value: 'approvals',
            label: 'Approvals',
            count: approvals?.waiting,
            content: <Approvals {...section} isTeam />,
          },
          {
            value: 'leads',
            label: 'Leads',
            count: leads?.new_count,
            content: <Leads {...section} openTab={openTab} isTeam canChange />,
          },
          { value: 'meetings', label: 'Meetings', count: meetings?.waiting, content: <Meetings {...section} isTeam /> },
          {
            value: 'figures',
            label: 'Figures',
            content: (
              <>
                <FigureWeeks client={client} isTeam />
                <ClientFigures client={client} />
                <Sources {...section} />
                <Quotes {...section} />
              </>
            ),
          },
          { value: 'reports', label: 'Reports', content: <ClientReports {...section} isTeam /> },
          { value: 'files', label: 'Files', content: <Files {...section} isTeam /> },
          { value: 'blocklist', label: 'Blocklist', content: <BlocklistSection {...section} /> },
          { value: 'people', label: 'People', content: people },
        ]}
      />
    </div>
  );
}

/** Shows the figures of the latest week, the funnel, the campaigns and the fee, with the notes beside them on wide screens. */
function TeamOverview({ client, openTab }: { client: Client; openTab: OpenTab }) {
  return (
    <>
      <ClientProgress client={client} isTeam />
      <ClientFunnel client={client} openTab={openTab} headingLevel={2} />
      <div className="grid grid-cols-1 items-start gap-x-6 gap-y-8 @5xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="grid grid-cols-1 gap-6">
          <section aria-labelledby="campaigns" className="grid grid-cols-1 gap-4">
            <div className="flex flex-wrap items-center justify-between gap-3">
              <h2 id="campaigns" className="text-lg font-semibold">
                Campaigns
              </h2>
              <AddCampaign clientId={client.id} clientName={client.name} />
            </div>
            <CampaignList campaigns={client.campaigns} canChange />
          </section>
          <FeeCard client={client} />
        </div>
        <Notes client={client} headingLevel={2} />
      </div>
    </>
  );
}
