import { Download } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { type ShownFile, saveMutation } from './files.ts';

/** A button that saves a file. Its address is asked for when it is pressed: it opens for an hour to whoever has it. */
export function DownloadButton({ file }: { file: ShownFile }) {
  const save = useMutationWithToasts(saveMutation, { failure: 'The file cannot be opened' });
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
