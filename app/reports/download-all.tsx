import { Download } from 'lucide-react';
import type { Client } from '../data/clients/clients.ts';
import { archiveMutation } from '../data/reports/archive.ts';
import { downloadParts } from '../lib/download.ts';
import { Button } from '../ui/button.tsx';
import { useMutationWithToasts } from '../ui/use-mutation-with-toasts.ts';

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
