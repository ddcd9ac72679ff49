import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { download } from '../../ui/lib/download.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import {
  chatsNamingQuery,
  deletePersonMutation,
  exportPersonMutation,
  leadsOfQuery,
  type PersonDetail,
} from '../people.ts';
import { ActionButton } from './action-button.tsx';
import { personName } from './person-name.ts';

export function DownloadData({ person }: { person: PersonDetail }) {
  const run = useMutationWithToasts(exportPersonMutation, { failure: 'The data could not be collected' });
  return (
    <Button
      size="sm"
      variant="secondary"
      loading={run.isPending}
      onClick={() =>
        run.mutate(person.id, {
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
  const { data: chats } = useQuery(chatsNamingQuery(person.id));
  const { data: leads = 0 } = useQuery(leadsOfQuery(person.id));
  const remove = useMutationWithToasts(
    { ...deletePersonMutation, onSuccess: () => navigate({ to: '/admin/people' }) },
    { success: 'Person deleted', failure: 'The person was not deleted' },
  );
  return (
    <ActionButton
      action={remove}
      variables={person.id}
      label="Delete person"
      title="Delete this person?"
      sentence={`The account of ${personName(person)} goes with everything that names them${chatsToo(chats)}${leadsToo(leads)}. Files that they uploaded stay. The record keeps what was done, without their address. This cannot be undone.`}
      confirmLabel="Delete for good"
      destructive
      warns
    />
  );
}

function chatsToo(count: number | undefined): string {
  if (count === undefined) return ', chats in which their address stands too';
  if (count === 0) return '; no chat contains their address';
  return `, ${count === 1 ? 'the one chat' : `${count} chats`} in which their address stands too`;
}

function leadsToo(count: number): string {
  if (count === 0) return '';
  return `. ${count === 1 ? 'The lead' : `The ${count} leads`} with their address ${count === 1 ? 'goes' : 'go'} as well`;
}
