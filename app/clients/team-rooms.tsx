import type { ReactNode } from 'react';
import type { Client } from '../data/clients/clients.ts';
import { ClientFigures } from '../figures/client-figures.tsx';
import { ClientReports } from '../reports/client-reports.tsx';
import { ClientAlarms } from '../sources/client-alarms.tsx';
import { Sources } from '../sources/sources.tsx';
import { Approvals } from './approvals.tsx';
import { AddCampaign } from './campaign-actions.tsx';
import { CampaignList } from './campaign-list.tsx';
import { DoNotContact } from './do-not-contact.tsx';
import { Files } from './files.tsx';
import { Meetings } from './meetings.tsx';
import { Notes } from './notes.tsx';
import { Quotes } from './quotes.tsx';

/**
 * The rooms of a client as those who work for it see and keep them, in the admin area and on the team dashboard. A new room is a
 * line here, and one in ClientRooms for what the client sees. Beside the work stands what is kept, where there is room.
 */
export function TeamRooms({ client, people }: { client: Client; people: ReactNode }) {
  return (
    <div className="@container grid grid-cols-1 gap-8">
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
