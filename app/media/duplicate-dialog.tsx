import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { Duplicate, DuplicateChoice } from './duplicates.ts';

interface DuplicateDialogProps {
  duplicate: Duplicate;
  /** Closing the dialog uses the existing file, which is identical. */
  onAnswer: (choice: DuplicateChoice, isForAll: boolean) => void;
}

/** Asks how to handle a file that is already in the library. */
export default function DuplicateDialog({ duplicate: { file, title, batch }, onAnswer }: DuplicateDialogProps) {
  const [isForAll, setForAll] = useState(false);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onAnswer('existing', false)}
      title="This file is already in the library"
      description={
        <span className="[overflow-wrap:anywhere]">
          “{file.name}” is identical to “{title}”. If you use the existing file, you only need to describe or replace it
          in one place.
        </span>
      }
      footer={
        <>
          <Button variant="secondary" onClick={() => onAnswer('upload', isForAll)}>
            Upload again
          </Button>
          <Button data-initial-focus onClick={() => onAnswer('existing', isForAll)}>
            Use existing file
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
          Do the same for all other duplicates
        </label>
      )}
    </Dialog>
  );
}
