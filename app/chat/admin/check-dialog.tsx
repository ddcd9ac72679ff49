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
        help="One phrase per line: words of the answer, or a URL that it links to."
        rows={3}
      />
      <TextareaField<typeof NEW_CHECK>
        name="must_not_name"
        label="It must not mention"
        help="One phrase per line."
        rows={2}
      />
    </DocumentDialog>
  );
}
