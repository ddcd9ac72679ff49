import { Download } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { downloadParts } from '../../ui/lib/download.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { Client } from '../clients.ts';
import { archiveMutation } from './archive.ts';

/** Button that downloads all data of a client visible to the user as an archive. */
export function DownloadAll({ client }: { client: Pick<Client, 'id' | 'name'> }) {
  const download = useMutationWithToasts(archiveMutation, { failure: 'Could not create the archive' });
  return (
    <Button
      variant="ghost"
      size="sm"
      className="-ml-3 justify-self-start"
      aria-label={`Download everything for ${client.name}`}
      loading={download.isPending}
      onClick={() =>
        download.mutate(client, { onSuccess: ({ name, bytes }) => downloadParts(bytes, name, 'application/zip') })
      }
      icon={Download}
    >
      Download everything
    </Button>
  );
}
