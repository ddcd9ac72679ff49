import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { Button, COMPACT_LABEL_CLASS } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { BackLink } from '../../ui/list/back-link.tsx';
import { LoadingCards } from '../../ui/list/loading-cards.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { type Client, clientQuery, deleteClientMutation } from '../clients.ts';
import { OVERVIEW, useOpenTab } from '../open-tab.ts';
import { TeamSections } from '../team-sections.tsx';
import { ViewAsClient } from '../view-as-client.tsx';
import { ClientDialog } from './client-dialog.tsx';
import { ClientPeople } from './client-people.tsx';

/** Client page in the admin area. Also lets admins edit, impersonate and delete the client. */
export function ClientPage({ id }: { id: string }) {
  const { data: client, error, isPending, refetch } = useQuery(clientQuery(id));
  const { tab } = useOpenTab();
  const [isEditing, setEditing] = useState(false);
  return (
    <div className="grid grid-cols-1 gap-5">
      <div className="grid grid-cols-1 gap-3">
        <BackLink to="/admin/clients">All clients</BackLink>
        <ScreenHeader
          title={client?.name ?? 'Client'}
          description={client?.domain}
          isInline
          action={
            client && (
              <div data-compact className="flex shrink-0 gap-2">
                <ViewAsClient client={client} />
                <Button
                  variant="secondary"
                  size="sm"
                  className="max-sm:min-h-11"
                  icon={Pencil}
                  onClick={() => setEditing(true)}
                >
                  <span className={COMPACT_LABEL_CLASS}>Edit</span>
                </Button>
              </div>
            )
          }
        />
      </div>
      {isPending && <LoadingCards text="Loading client..." height="h-24" />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {client === null && <EmptyState title="Client not found" description="It may have been deleted." />}
      {client && (
        <>
          {client.is_sample && <SampleBanner id={client.id} />}
          <TeamSections client={client} people={<ClientPeople clientId={client.id} />} />
          {!client.is_sample && tab === OVERVIEW && <DeleteClient client={client} />}
        </>
      )}
      {client && isEditing && <ClientDialog client={client} onClose={() => setEditing(false)} />}
    </div>
  );
}

/** Banner on the sample client. Removal needs no confirmation, because the client is fictional. */
function SampleBanner({ id }: { id: string }) {
  const navigate = useNavigate();
  const remove = useMutationWithToasts(
    // Navigate before the client query is invalidated, because the refetch unmounts this banner.
    { ...deleteClientMutation, onSuccess: () => navigate({ to: '/admin/clients' }) },
    { success: 'Sample removed', failure: 'Could not remove the sample' },
  );
  return (
    <div
      role="note"
      className="flex items-center justify-between gap-x-4 rounded-md bg-sunken px-4 text-sm max-sm:min-h-11 sm:min-h-10"
    >
      <p>
        This client is a sample.<span className="max-lg:hidden"> Its people and figures are fictional.</span>
      </p>
      <Button variant="link" className="shrink-0 text-sm" loading={remove.isPending} onClick={() => remove.mutate(id)}>
        Remove the sample
      </Button>
    </div>
  );
}

function DeleteClient({ client: { id, name } }: { client: Client }) {
  const navigate = useNavigate();
  const [isConfirming, setConfirming] = useState(false);
  const remove = useMutationWithToasts(
    // Navigate before the client query is invalidated, because the refetch unmounts this dialog.
    { ...deleteClientMutation, onSuccess: () => navigate({ to: '/admin/clients' }) },
    { success: 'Client deleted successfully', failure: 'Could not delete the client' },
  );
  return (
    <>
      <Button variant="danger-outline" size="sm" className="justify-self-start" onClick={() => setConfirming(true)}>
        Delete client
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title="Delete this client?"
        description={`${name} will be permanently deleted, with its campaigns, figures, imports, approvals, decisions, files, notes, meetings, reports and blocklist. Download everything first if you may need it. User accounts are kept. This action cannot be undone.`}
        confirmLabel="Delete"
        destructive
        loading={remove.isPending}
        onConfirm={() => remove.mutate(id, { onError: () => setConfirming(false) })}
      />
    </>
  );
}
