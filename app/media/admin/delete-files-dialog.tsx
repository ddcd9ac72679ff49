import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { TrashNotice } from '../../ui/list/trash-notice.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { deleteMediaMutation, type MediaFile } from '../media.ts';
import { formatFileCount } from './file-labels.ts';

interface DeleteFilesDialogProps {
  files: MediaFile[];
  onClose: () => void;
  onDeleted: () => void;
}

/** Confirms the deletion of several files and lists those in use. */
export default function DeleteFilesDialog({ files, onClose, onDeleted }: DeleteFilesDialogProps) {
  const count = formatFileCount(files.length);
  const remove = useMutationWithToasts(deleteMediaMutation, {
    success: () => (files.length === 1 ? 'File deleted successfully' : `${count} deleted successfully`),
    failure: files.length === 1 ? 'Error deleting file' : 'Error deleting files',
  });
  const usedFiles = files.filter((file) => file.is_used);
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={usedFiles.length > 0 ? 'Delete files in use?' : 'Delete files?'}
      description={
        <>
          Are you sure you want to delete {files.length === 1 ? `"${files[0]?.title}"` : count}? This action cannot be
          undone.
          {usedFiles.length > 0 && (
            <span className="mt-3 block rounded-md bg-warning-soft px-3 py-2 text-ink">
              In use: {usedFiles.map(({ title }) => title).join(', ')}. They will be missing where they are used.
            </span>
          )}
          <TrashNotice count={files.length} />
        </>
      }
      confirmLabel="Delete"
      destructive
      loading={remove.isPending}
      onConfirm={() =>
        remove.mutate(
          files.map(({ name }) => name),
          { onSuccess: onDeleted },
        )
      }
    />
  );
}
