import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { Duplicate, DuplicateChoice } from './duplicates.ts';

interface DuplicateDialogProps {
  duplicate: Duplicate;
  /** Closing the dialog uses the present file: it is the same. */
  onAnswer: (choice: DuplicateChoice, isForAll: boolean) => void;
}

/** Asks what to do with a file that is in the library already. */
export default function DuplicateDialog({ duplicate: { file, title, batch }, onAnswer }: DuplicateDialogProps) {
  const [isForAll, setForAll] = useState(false);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onAnswer('present', false)}
      title="This file is in the library already"
      description={
        <span className="[overflow-wrap:anywhere]">
          “{file.name}” is the same file as “{title}”, byte for byte. With the present one there is a single place to
          describe and to replace it.
        </span>
      }
      footer={
        <>
          <Button variant="secondary" onClick={() => onAnswer('upload', isForAll)}>
            Upload again
          </Button>
          <Button data-initial-focus onClick={() => onAnswer('present', isForAll)}>
            Use the present file
          </Button>
        </>
      }
    >
      {batch && batch.size > 1 && (
        <label className="inline-flex cursor-pointer items-center gap-2.5 p-1 text-[0.9375rem]">
          <input
            type="checkbox"
            checked={isForAll}
            onChange={(event) => setForAll(event.target.checked)}
            className="size-5"
          />
          Do the same with the other files that are here already
        </label>
      )}
    </Dialog>
  );
}
