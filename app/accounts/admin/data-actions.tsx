import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { download } from '../../ui/lib/download.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import {
  chatsWithAddressQuery,
  deletePersonMutation,
  exportPersonMutation,
  leadsWithAddressQuery,
  type PersonDetail,
} from '../people.ts';
import { ActionButton } from './action-button.tsx';
import { personName } from './person-name.ts';

export function DownloadData({ person }: { person: PersonDetail }) {
  const exportData = useMutationWithToasts(exportPersonMutation, { failure: 'Could not export the data' });
  return (
    <Button
      size="sm"
      variant="secondary"
      loading={exportData.isPending}
      onClick={() =>
        exportData.mutate(person.id, {
          onSuccess: (text) => download(text, `data-of-${person.email || person.id}.json`, 'application/json'),
        })
      }
      icon={Download}
    >
      Download data
    </Button>
  );
}

export function DeletePerson({ person }: { person: PersonDetail }) {
  const navigate = useNavigate();
  const { data: chats } = useQuery(chatsWithAddressQuery(person.id));
  const { data: leads = 0 } = useQuery(leadsWithAddressQuery(person.id));
  const remove = useMutationWithToasts(
    { ...deletePersonMutation, onSuccess: () => navigate({ to: '/admin/people' }) },
    { success: 'Person deleted', failure: 'Could not delete the person' },
  );
  return (
    <ActionButton
      action={remove}
      variables={person.id}
      label="Delete person"
      title="Delete this person?"
      description={`The account of ${personName(person)} will be deleted with all data linked to it${describeChats(chats)}${describeLeads(leads)}. Files they uploaded are kept. Their actions stay in the log without their address. This cannot be undone.`}
      confirmLabel="Delete permanently"
      destructive
      variant="danger-outline"
    />
  );
}

function describeChats(count: number | undefined): string {
  if (count === undefined) return ', and chats that contain their address';
  if (count === 0) return '. No chats contain their address';
  return `, and ${count === 1 ? 'the chat' : `${count} chats`} containing their address`;
}

function describeLeads(count: number): string {
  if (count === 0) return '';
  return `. ${count === 1 ? 'The lead' : `The ${count} leads`} with their address ${count === 1 ? 'is' : 'are'} also deleted`;
}
