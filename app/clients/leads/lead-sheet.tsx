import { useQuery } from '@tanstack/react-query';
import { LoadError } from '../../ui/load-error.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { viewerNotice } from '../client-people.ts';
import type { Client } from '../clients.ts';
import type { OpenTab } from '../open-tab.ts';
import { DeleteLead } from './delete-lead.tsx';
import { LeadActions } from './lead-actions.tsx';
import { LeadFacts, LeadHead, LeadHistory, LeadReply } from './lead-details.tsx';
import { LeadMeetings } from './lead-meetings.tsx';
import { leadName } from './lead-schema.ts';
import { leadQuery } from './leads.ts';

interface LeadSheetProps {
  client: Pick<Client, 'id' | 'name' | 'campaigns'>;
  id: string;
  isTeam: boolean;
  canChange: boolean;
  openTab: OpenTab;
  onClose: () => void;
}

/** Panel with all details of a lead. */
export function LeadSheet({ client, id, isTeam, canChange, openTab, onClose }: LeadSheetProps) {
  const { data: lead, error, isPending, refetch } = useQuery(leadQuery(client.id, id));
  return (
    <Sheet
      open
      onOpenChange={onClose}
      title={lead ? `Lead ${leadName(lead)}` : 'Lead'}
      className="w-full gap-6 p-6 sm:w-lg"
    >
      {isPending && <Skeleton className="mt-8 h-40 rounded-md" />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {lead === null && <p className="pr-10">This lead no longer exists.</p>}
      {lead && (
        <>
          <LeadHead lead={lead} />
          <LeadReply lead={lead} />
          {canChange && <LeadActions clientId={client.id} lead={lead} />}
          {!canChange && !isTeam && <p className="text-sm text-muted">{viewerNotice(client.name)}</p>}
          <LeadFacts lead={lead} openTab={openTab} />
          <LeadMeetings client={client} lead={lead} isTeam={isTeam} openTab={openTab} />
          <LeadHistory lead={lead} />
          {isTeam && <DeleteLead clientId={client.id} lead={lead} onDeleted={onClose} />}
        </>
      )}
    </Sheet>
  );
}
