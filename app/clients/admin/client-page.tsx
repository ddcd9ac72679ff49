import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { BackLink } from '../../ui/list/back-link.tsx';
import { LoadingCards } from '../../ui/list/loading-cards.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { type Client, clientQuery, deleteClientMutation } from '../clients.ts';
import { TeamRooms } from '../team-rooms.tsx';
import { SeeAsClient } from '../view-as-client.tsx';
import { ClientDialog } from './client-dialog.tsx';
import { ClientPeople } from './client-people.tsx';

/** One client: its campaigns and figures, the people who see them, and who of us works for it. */
export function ClientPage({ id }: { id: string }) {
  const { data: client, error, isPending, refetch } = useQuery(clientQuery(id));
  const [isEditing, setEditing] = useState(false);
  return (
    <div className="grid grid-cols-1 gap-8">
      <div className="grid grid-cols-1 gap-6">
        <BackLink to="/admin/clients">All clients</BackLink>
        <ScreenHeader
          title={client?.name ?? 'Client'}
          description={client?.domain}
          action={
            client && (
              <div className="flex flex-wrap gap-3">
                <SeeAsClient client={client} />
                <Button variant="secondary" size="sm" onClick={() => setEditing(true)}>
                  Edit
                </Button>
              </div>
            )
          }
        />
      </div>
      {isPending && <LoadingCards text="Loading client..." height="h-24" />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {client === null && <EmptyState title="No such client" description="It may have been deleted." />}
      {client && (
        <>
          {client.is_sample && <SampleNote id={client.id} />}
          <TeamRooms client={client} people={<ClientPeople clientId={client.id} />} />
          {!client.is_sample && <DeleteClient client={client} />}
        </>
      )}
      {client && isEditing && <ClientDialog client={client} onClose={() => setEditing(false)} />}
    </div>
  );
}

/** Marks the sample, which goes with one press: there is nothing to lose in it. */
function SampleNote({ id }: { id: string }) {
  const navigate = useNavigate();
  const remove = useMutationWithToasts(
    // Before the client is asked for again, and this note goes with it.
    { ...deleteClientMutation, onSuccess: () => navigate({ to: '/admin/clients' }) },
    { success: 'The sample is removed', failure: 'The sample was not removed' },
  );
  return (
    <div role="note" className="flex flex-wrap items-center justify-between gap-4 rounded-md bg-sunken px-5 py-4">
      <p className="measure">This client is a sample: its people and figures are made up.</p>
      <Button variant="secondary" size="sm" loading={remove.isPending} onClick={() => remove.mutate(id)}>
        Remove the sample
      </Button>
    </div>
  );
}

function DeleteClient({ client: { id, name } }: { client: Client }) {
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const remove = useMutationWithToasts(
    // Before the client is asked for again, and this dialog goes with it.
    { ...deleteClientMutation, onSuccess: () => navigate({ to: '/admin/clients' }) },
    { success: 'Client deleted successfully', failure: 'Error deleting client' },
  );
  return (
    <>
      <Button variant="deletes" size="sm" className="justify-self-start" onClick={() => setAsking(true)}>
        Delete client
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Delete this client?"
        description={`${name} goes for good, with its campaigns, figures and imports, approvals and decisions, files, notes, meetings, reports and the list of whom to leave alone. Download everything first if somebody may ask for it. The accounts of its people stay. This action cannot be undone.`}
        confirmLabel="Delete"
        destructive
        loading={remove.isPending}
        onConfirm={() => remove.mutate(id, { onError: () => setAsking(false) })}
      />
    </>
  );
}
