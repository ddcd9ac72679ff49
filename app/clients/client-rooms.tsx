import type { Client } from '../data/clients/clients.ts';
import { ClientProgress } from '../figures/client-progress.tsx';
import { Approvals } from './approvals.tsx';
import { CampaignList } from './campaign-list.tsx';
import { DoNotContact } from './do-not-contact.tsx';
import { Files } from './files.tsx';
import { Meetings } from './meetings.tsx';

interface ClientRoomsProps {
  client: Client;
  /** For those who look at what the client sees: nothing is answered or changed. */
  isReadOnly?: boolean;
  /** True for the approvers of the client: they decide on texts and answer meetings. */
  isApprover?: boolean;
}

/** The rooms of a client as its people see them: texts that wait, figures, campaigns, meetings, files and whom to leave alone. */
export function ClientRooms({ client, isReadOnly = false, isApprover = false }: ClientRoomsProps) {
  return (
    <>
      <Approvals client={client} isReadOnly={isReadOnly} canDecide={isApprover} headingLevel={3} />
      <ClientProgress client={client} />
      <CampaignList campaigns={client.campaigns} />
      <Meetings client={client} isReadOnly={isReadOnly} canAnswer={isApprover} headingLevel={3} />
      <Files client={client} isReadOnly={isReadOnly} headingLevel={3} />
      <DoNotContact client={client} isReadOnly={isReadOnly} headingLevel={3} />
    </>
  );
}
