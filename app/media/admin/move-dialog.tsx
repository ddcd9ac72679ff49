import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { mediaFoldersQuery, moveMediaMutation } from '../media.ts';
import { filesInWords } from './file-facts.ts';

interface MoveDialogProps {
  names: string[];
  /** Their present folder, if all are in the same. */
  folder: string;
  onClose: () => void;
  onMoved: () => void;
}

/** Puts files into a folder that is there, or into a new one. */
export default function MoveDialog({ names, folder, onClose, onMoved }: MoveDialogProps) {
  const listId = useId();
  const [to, setTo] = useState(folder);
  const { data: folders = [] } = useQuery(mediaFoldersQuery);
  const move = useMutationWithToasts(moveMediaMutation, {
    success: (count, { folder: into }) =>
      into.trim()
        ? `${filesInWords(count)} moved to ${into.trim()}`
        : `${filesInWords(count)} moved out of their folder`,
    failure: 'Error moving files',
  });
  return (
    <FormDialog
      title={`Move ${filesInWords(names.length)}`}
      description="Addresses stay as they are, so nothing has to be changed where the files are used."
      submitLabel="Move"
      isPending={move.isPending}
      onClose={onClose}
      onSubmit={async (event) => {
        event.preventDefault();
        await move.mutateAsync({ names, folder: to }, { onSuccess: onMoved }).catch(() => undefined);
      }}
    >
      <Field label="Folder" help="A new name makes a new folder. Empty: in no folder.">
        <Input
          data-initial-focus
          list={listId}
          autoComplete="off"
          maxLength={100}
          value={to}
          onChange={(event) => setTo(event.target.value)}
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
