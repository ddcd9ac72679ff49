import { Download } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { downloadUrlMutation, type FileInfo } from './files.ts';

/** Downloads a file. Requests the signed URL on click, because anyone with the URL can use it for an hour. */
export function DownloadButton({ file }: { file: FileInfo }) {
  const download = useMutationWithToasts(downloadUrlMutation, { failure: 'Could not open the file' });
  return (
    <Button
      variant="secondary"
      size="sm"
      loading={download.isPending}
      aria-label={`Download ${file.name}`}
      onClick={() => download.mutate(file, { onSuccess: (url) => window.location.assign(url) })}
    >
      <Download aria-hidden="true" />
      Download
    </Button>
  );
}
