import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { Handshake, Plus } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { CardList, ROW_LINK_CLASS } from '../../ui/list/card-list.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { ClientFacts, FACT_LABELS } from '../client-facts.tsx';
import { clientsQuery } from '../clients.ts';
import { addSampleMutation } from '../sample-client.ts';
import { overviewQuery } from '../team-overview.ts';
import { ClientDialog } from './client-dialog.tsx';

/** Paginated list of clients. */
export function ClientsList({ page }: { page: number }) {
  const navigate = useNavigate();
  const [isAdding, setAdding] = useState(false);
  const list = useQuery(clientsQuery(page));
  const overview = useQuery(overviewQuery);
  const openClient = (id: string) => void navigate({ to: '/admin/clients/$id', params: { id } });
  const addSample = useMutationWithToasts(
    { ...addSampleMutation, onSuccess: openClient },
    { failure: 'Could not add the sample' },
  );
  const add = (
    <Button onClick={() => setAdding(true)}>
      <Plus aria-hidden="true" />
      New client
    </Button>
  );
  return (
    <div className="grid grid-cols-1 gap-6">
      <ScreenHeader
        title="Clients"
        isInline
        description="Your clients, and what each of them sees in their portal."
        action={list.data && list.data.items.length > 0 && add}
      />
      <CardList
        query={list}
        page={page}
        columns={
          <div className={clsx(COLUMNS, 'grid')}>
            <p>Client</p>
            <div className="grid grid-cols-4 gap-x-4">
              {FACT_LABELS.map((label) => (
                <p key={label}>{label}</p>
              ))}
            </div>
          </div>
        }
        loading="Loading clients..."
        empty={
          <EmptyState
            icon={Handshake}
            title="No clients yet"
            description="Add a client, then its people and campaigns. To explore the product first, add a sample client with twelve weeks of figures, texts and meetings."
            action={
              <div className="flex flex-wrap justify-center gap-3">
                {add}
                <Button variant="secondary" loading={addSample.isPending} onClick={() => addSample.mutate()}>
                  Add sample client
                </Button>
              </div>
            }
          />
        }
      >
        {(client) => <ClientRow client={client} overview={overview} />}
      </CardList>
      {isAdding && <ClientDialog onClose={() => setAdding(false)} onAdded={openClient} />}
    </div>
  );
}

const COLUMNS = 'gap-x-6 xl:grid-cols-[minmax(0,1fr)_minmax(0,3fr)]';

function ClientRow({ client, overview }: ComponentProps<typeof ClientFacts>) {
  const { id, name, domain, campaigns, is_sample } = client;
  const openCount = campaigns.filter(({ phase }) => phase !== 'done').length;
  return (
    <div className={clsx(COLUMNS, 'grid grid-cols-1 gap-y-3 xl:items-start')}>
      <div className="min-w-0">
        <h2 className="font-medium [overflow-wrap:anywhere]">
          <Link to="/admin/clients/$id" params={{ id }} className={ROW_LINK_CLASS}>
            {name}
          </Link>
          {is_sample && <Badge className="ml-3 align-middle">Sample</Badge>}
        </h2>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">
          {[domain, openCount === 1 ? '1 open campaign' : `${openCount} open campaigns`].filter(Boolean).join(' · ')}
        </p>
      </div>
      <ClientFacts client={client} overview={overview} />
    </div>
  );
}
