import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { mediaFoldersQuery, moveMediaMutation } from '../media.ts';
import { formatFileCount } from './file-labels.ts';

interface MoveDialogProps {
  names: string[];
  /** Current folder, if all files share it. */
  folder: string;
  onClose: () => void;
  onMoved: () => void;
}

/** Moves files to an existing or new folder. */
export default function MoveDialog({ names, folder, onClose, onMoved }: MoveDialogProps) {
  const listId = useId();
  const [target, setTarget] = useState(folder);
  const { data: folders = [] } = useQuery(mediaFoldersQuery);
  const move = useMutationWithToasts(moveMediaMutation, {
    success: (count, { folder: targetFolder }) =>
      targetFolder.trim()
        ? `${formatFileCount(count)} moved to ${targetFolder.trim()}`
        : `${formatFileCount(count)} moved out of their folder`,
    failure: 'Could not move the files',
  });
  return (
    <FormDialog
      title={`Move ${formatFileCount(names.length)}`}
      description="The URLs of the files do not change, so existing links keep working."
      submitLabel="Move"
      isPending={move.isPending}
      onClose={onClose}
      onSubmit={async (event) => {
        event.preventDefault();
        await move.mutateAsync({ names, folder: target }, { onSuccess: onMoved }).catch(() => undefined);
      }}
    >
      <Field label="Folder" help="Enter a new name to create a folder, or leave empty for no folder.">
        <Input
          data-initial-focus
          list={listId}
          autoComplete="off"
          maxLength={100}
          value={target}
          onChange={(event) => setTarget(event.target.value)}
        />
      </Field>
      <datalist id={listId}>
        {folders.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </FormDialog>
  );
}
