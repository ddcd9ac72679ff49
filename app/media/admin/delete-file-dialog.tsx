import { useQuery } from '@tanstack/react-query';
import { editLink } from '../../api/places/edit-link.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { TrashNotice } from '../../ui/list/trash-notice.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { deleteMediaMutation, type MediaFile, mediaUsageQuery } from '../media.ts';

/** Maximum number of places listed in the warning. The file details list all places. */
const MAX_PLACES = 5;

/** Confirms a deletion and warns if the file is in use. */
export function DeleteFileDialog({ file, onClose }: { file: MediaFile; onClose: () => void }) {
  const remove = useMutationWithToasts(deleteMediaMutation, {
    success: 'File deleted successfully',
    failure: 'Error deleting file',
  });
  const usage = useQuery(mediaUsageQuery(file.name));
  const places = usage.data ?? [];
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={places.length > 0 ? 'Delete a file in use?' : 'Delete file?'}
      description={
        <>
          Are you sure you want to delete "{file.title}"? This action cannot be undone.
          {places.length > 0 && (
            <span className="mt-3 block rounded-md bg-warning-soft px-3 py-2 text-ink">
              It is used in{' '}
              {places
                .slice(0, MAX_PLACES)
                .map((place) => editLink(place).label)
                .join(', ')}
              <span>{places.length > MAX_PLACES && ` and ${places.length - MAX_PLACES} more`}</span>. The file will be
              missing there.
            </span>
          )}
          {usage.error && <span className="mt-3 block">We could not check where this file is used.</span>}
          <TrashNotice count={1} />
        </>
      }
      confirmLabel="Delete"
      destructive
      loading={usage.isPending || remove.isPending}
      onConfirm={() => remove.mutate([file.name], { onSettled: onClose })}
    />
  );
}
