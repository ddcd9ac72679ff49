import type { ReactNode } from 'react';
import { Approvals } from './approvals/approval-list.tsx';
import { AddCampaign } from './campaigns/campaign-actions.tsx';
import { CampaignList } from './campaigns/campaign-list.tsx';
import { ClientHead } from './client-head.tsx';
import type { Client } from './clients.ts';
import { DoNotContact } from './do-not-contact/do-not-contact-list.tsx';
import { ClientFigures } from './figures/client-figures.tsx';
import { Quotes } from './figures/quote-list.tsx';
import { Files } from './files/file-list.tsx';
import { Meetings } from './meetings/meeting-list.tsx';
import { Notes } from './note-list.tsx';
import { ClientReports } from './reports/client-reports.tsx';
import { ClientAlarms } from './sources/client-alarms.tsx';
import { Sources } from './sources/source-list.tsx';

/**
 * Client page of the team, in the admin area and on the team dashboard. Register a new section here, and in
 * ClientSections for the client. On wide screens, settings are beside the content.
 */
export function TeamSections({ client, people }: { client: Client; people: ReactNode }) {
  return (
    <div className="@container grid grid-cols-1 gap-8">
      <ClientHead client={client} />
      <ClientAlarms client={client} headingLevel={2} />
      <div className="grid grid-cols-1 items-start gap-x-6 gap-y-8 @5xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="grid grid-cols-1 gap-8">
          <section aria-labelledby="campaigns" className="grid grid-cols-1 gap-4">
            <div className="flex flex-wrap items-center justify-between gap-3">
              <h2 id="campaigns" className="text-lg font-semibold">
                Campaigns
              </h2>
              <AddCampaign clientId={client.id} clientName={client.name} />
            </div>
            <CampaignList campaigns={client.campaigns} canChange />
          </section>
          <Approvals client={client} isTeam headingLevel={2} />
          <ClientFigures client={client} />
          <Sources client={client} headingLevel={2} />
          <Meetings client={client} isTeam headingLevel={2} />
        </div>
        <div className="grid grid-cols-1 gap-8">
          <Quotes client={client} headingLevel={2} />
          <Files client={client} isTeam headingLevel={2} />
          <ClientReports client={client} isTeam headingLevel={2} />
          <DoNotContact client={client} headingLevel={2} />
          <Notes client={client} headingLevel={2} />
          {people}
        </div>
      </div>
    </div>
  );
}
