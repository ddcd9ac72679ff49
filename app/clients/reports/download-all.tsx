import { Download } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { downloadParts } from '../../ui/lib/download.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { Client } from '../clients.ts';
import { archiveMutation } from './archive.ts';

/** Downloads all data of a client that the user can see, as one archive. */
export function DownloadAll({ client }: { client: Pick<Client, 'id' | 'name'> }) {
  const download = useMutationWithToasts(archiveMutation, { failure: 'Could not create the archive' });
  return (
    <Button
      variant="ghost"
      size="sm"
      aria-label={`Download everything of ${client.name}`}
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
