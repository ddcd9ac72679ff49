import { Download } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { downloadParts } from '../../ui/lib/download.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { Client } from '../clients.ts';
import { archiveMutation } from './archive.ts';

/** Makes one archive of everything that there is of a client for this person. */
export function DownloadAll({ client }: { client: Pick<Client, 'id' | 'name'> }) {
  const collecting = useMutationWithToasts(archiveMutation, { failure: 'The archive could not be made' });
  return (
    <Button
      variant="ghost"
      size="sm"
      aria-label={`Download everything of ${client.name}`}
      loading={collecting.isPending}
      onClick={() =>
        collecting.mutate(client, { onSuccess: ({ name, bytes }) => downloadParts(bytes, name, 'application/zip') })
      }
      icon={Download}
    >
      Download everything
    </Button>
  );
}
