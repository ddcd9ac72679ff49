import { Download } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { type ShownFile, saveMutation } from './files.ts';

/** Downloads a file. The signed URL is requested on click because anyone who has it can use it for an hour. */
export function DownloadButton({ file }: { file: ShownFile }) {
  const save = useMutationWithToasts(saveMutation, { failure: 'Could not open the file' });
  return (
    <Button
      variant="secondary"
      size="sm"
      loading={save.isPending}
      aria-label={`Download ${file.name}`}
      onClick={() => save.mutate(file, { onSuccess: (address) => window.location.assign(address) })}
    >
      <Download aria-hidden="true" />
      Download
    </Button>
  );
}
