import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Approvals } from '../clients/approvals.tsx';
import { AddCampaign } from '../clients/campaign-actions.tsx';
import { CampaignList } from '../clients/campaign-list.tsx';
import { DoNotContact } from '../clients/do-not-contact.tsx';
import { Files } from '../clients/files.tsx';
import { Meetings } from '../clients/meetings.tsx';
import { Notes } from '../clients/notes.tsx';
import { SeeAsClient } from '../clients/see-as-client.tsx';
import { clientsQuery } from '../data/clients/clients.ts';
import { ClientFigures } from '../figures/client-figures.tsx';
import { ClientAlarms } from '../sources/client-alarms.tsx';
import { Sources } from '../sources/sources.tsx';
import { LoadError } from '../ui/load-error.tsx';
import { Pagination } from '../ui/pagination.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

/** The clients that the team member works for, with their campaigns. */
export default function TeamClients() {
  const [page, setPage] = useState(1);
  const { data, error, isPending, refetch } = useQuery(clientsQuery(page));
  return (
    <section aria-labelledby="clients" className="grid grid-cols-1 gap-6">
      <h2 id="clients" tabIndex={-1} className="scroll-mt-24 text-display-3">
        Clients
      </h2>
      {isPending && (
        <div className="grid gap-3">
          <p role="status" className="text-muted">
            Loading clients...
          </p>
          <Skeleton className="h-28 rounded-lg" />
        </div>
      )}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {data?.count === 0 && <p className="text-muted">You are not assigned to a client any more.</p>}
      {data?.items.map((client) => (
        <section key={client.id} aria-labelledby={`client-${client.id}`} className="grid grid-cols-1 gap-3">
          <div className="flex flex-wrap items-end justify-between gap-3">
            <div className="min-w-0">
              <h3 id={`client-${client.id}`} className="text-lg font-semibold [overflow-wrap:anywhere]">
                {client.name}
              </h3>
              {client.domain !== '' && <p className="text-sm text-muted [overflow-wrap:anywhere]">{client.domain}</p>}
            </div>
            <div className="flex flex-wrap gap-3">
              <SeeAsClient client={client} />
              <AddCampaign clientId={client.id} clientName={client.name} />
            </div>
          </div>
          <ClientAlarms client={client} headingLevel={4} />
          <CampaignList campaigns={client.campaigns} canChange headingLevel={4} />
          <Approvals client={client} isTeam headingLevel={4} />
          <ClientFigures client={client} headingLevel={4} />
          <Sources client={client} headingLevel={4} />
          <Meetings client={client} isTeam headingLevel={4} />
          <Files client={client} isTeam headingLevel={4} />
          <DoNotContact client={client} headingLevel={4} />
          <Notes client={client} headingLevel={4} />
        </section>
      ))}
      <Pagination page={page} count={data?.count} onTurn={setPage} />
    </section>
  );
}
