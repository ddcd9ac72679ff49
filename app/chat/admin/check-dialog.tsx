import { useState } from 'react';
import { DocumentDialog } from '../../editing/document-dialog.tsx';
import { useDocument } from '../../editing/use-document.ts';
import { TextareaField, TextField } from '../../ui/form/text-field.tsx';
import type { AssistantCheck } from '../assistant-checks.ts';
import { checkDocument, NEW_CHECK } from '../check-document.ts';

interface CheckDialogProps {
  /** Check to edit. Undefined for a new one. */
  check: AssistantCheck | undefined;
  onClose: () => void;
}

/** Dialog for a question and the required content of its answer. */
export function CheckDialog({ check, onClose }: CheckDialogProps) {
  const [document] = useState(() => checkDocument(check));
  const values = document.opened?.content ?? NEW_CHECK;
  const editing = useDocument({ document, initial: document.opened, values, leave: onClose });
  return (
    <DocumentDialog
      editing={editing}
      title={check ? 'Edit check' : 'New check'}
      submitLabel="Save and run"
      onClose={onClose}
    >
      <TextField<typeof NEW_CHECK>
        name="question"
        required
        help="As a visitor would ask it."
        autoComplete="off"
        data-initial-focus
      />
      <TextareaField<typeof NEW_CHECK>
        name="must_name"
        label="The answer must mention"
        help="One per line. Enter a phrase the answer must contain or a URL it must link to."
        rows={3}
      />
      <TextareaField<typeof NEW_CHECK>
        name="must_not_name"
        label="The answer must not mention"
        help="One phrase or URL per line."
        rows={2}
      />
    </DocumentDialog>
  );
}
