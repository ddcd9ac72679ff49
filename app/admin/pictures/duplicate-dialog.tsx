import type { Duplicate, DuplicateChoice } from '../../data/duplicates.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

interface DuplicateDialogProps {
  duplicate: Duplicate;
  /** Closing the dialog uses the present file: it is the same. */
  onAnswer: (choice: DuplicateChoice) => void;
}

/** Asks what to do with a file that is in the library already. */
export default function DuplicateDialog({ duplicate: { file, title }, onAnswer }: DuplicateDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onAnswer('present')}
      title="This file is in the library already"
      description={
        <span className="[overflow-wrap:anywhere]">
          “{file.name}” is the same file as “{title}”, byte for byte. With the present one there is a single place to
          describe and to replace it.
        </span>
      }
      footer={
        <>
          <Button variant="secondary" onClick={() => onAnswer('upload')}>
            Upload again
          </Button>
          <Button data-initial-focus onClick={() => onAnswer('present')}>
            Use the present file
          </Button>
        </>
      }
    />
  );
}
