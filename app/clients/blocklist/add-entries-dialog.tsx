import { FileUp } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Field } from '../../ui/field.tsx';
import { FileButton } from '../../ui/form/file-button.tsx';
import { Counts, LineGroup } from '../../ui/line-group.tsx';
import { messageOf } from '../../ui/show-error.ts';
import { Textarea } from '../../ui/textarea.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { addLinesMutation, type EntriesResult, validateLinesMutation } from './blocklist.ts';
import { type EntryLine, parseBlocklistFile, parseEntries } from './blocklist-file.ts';

interface AddEntriesDialogProps {
  client: { id: string; name: string };
  onClose: () => void;
}

interface EntriesPreview {
  lines: EntryLine[];
  result: EntriesResult;
}

/** Adds domains and addresses from text or a CSV file after showing a preview. */
export function AddEntriesDialog({ client, onClose }: AddEntriesDialogProps) {
  const [text, setText] = useState('');
  const [inputError, setInputError] = useState<string | null>(null);
  const [preview, setPreview] = useState<EntriesPreview | null>(null);
  const validate = useMutationWithToasts(validateLinesMutation, { failure: 'These entries cannot be added' });
  const add = useMutationWithToasts(addLinesMutation, {
    success: (result) => [
      result.new === 1 ? '1 entry added' : `${result.new.toLocaleString('en-GB')} entries added`,
      'Campaigns will no longer contact them.',
    ],
    failure: 'Could not add the entries',
  });
  const previewEntries = async (read: () => EntryLine[] | Promise<EntryLine[]>) => {
    try {
      const lines = await read();
      setInputError(null);
      if (lines.length === 0) setInputError('Enter at least one domain or email address.');
      else validate.mutate({ clientId: client.id, lines }, { onSuccess: (result) => setPreview({ lines, result }) });
    } catch (failure) {
      setInputError(messageOf(failure));
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Add to the blocklist"
      description={
        preview
          ? 'This is a preview. Nothing has been added yet.'
          : `No campaign of ${client.name} will contact these domains and addresses. Email addresses are stored as hashes, so they cannot be read.`
      }
      footer={
        preview ? (
          <>
            <Button variant="secondary" onClick={() => setPreview(null)}>
              Back
            </Button>
            <Button
              disabled={preview.result.new === 0}
              loading={add.isPending}
              onClick={() => add.mutate({ clientId: client.id, lines: preview.lines }, { onSuccess: onClose })}
            >
              {preview.result.new === 1 ? 'Add 1 entry' : `Add ${preview.result.new.toLocaleString('en-GB')} entries`}
            </Button>
          </>
        ) : (
          <>
            <Button variant="secondary" onClick={onClose}>
              Cancel
            </Button>
            <Button loading={validate.isPending} onClick={() => void previewEntries(() => parseEntries(text))}>
              Preview
            </Button>
          </>
        )
      }
    >
      {preview ? (
        <PreviewedEntries result={preview.result} />
      ) : (
        <EntriesField
          text={text}
          inputError={inputError}
          onText={setText}
          onFile={(file) => void previewEntries(() => parseBlocklistFile(file))}
        />
      )}
    </Dialog>
  );
}

interface EntriesFieldProps {
  text: string;
  inputError: string | null;
  onText: (text: string) => void;
  onFile: (file: File) => void;
}

function EntriesField({ text, inputError, onText, onFile }: EntriesFieldProps) {
  return (
    <div className="grid grid-cols-1 gap-5 pt-1">
      <Field label="Domains and addresses" help="One per line, such as example.com or name@example.com.">
        <Textarea
          data-initial-focus
          rows={6}
          autoCapitalize="none"
          spellCheck={false}
          value={text}
          onChange={(event) => onText(event.target.value)}
        />
      </Field>
      {inputError && <ErrorNote title="Could not read the entries">{inputError}</ErrorNote>}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <FileButton
          variant="secondary"
          size="sm"
          accept=".csv,text/csv,text/plain"
          onFiles={([file]) => file && onFile(file)}
        >
          <FileUp aria-hidden="true" />
          Choose a CSV instead
        </FileButton>
      </div>
    </div>
  );
}

function PreviewedEntries({ result }: { result: EntriesResult }) {
  const findExamples = (state: string) =>
    result.examples
      .filter((example) => example.state === state)
      .map(({ line, text, reason }) => ({ line, text: [text, reason].filter(Boolean).join('. ') }));
  const counts = [
    ['New', result.new],
    ['Already listed', result.known],
    ['Rejected', result.refused],
  ] as const;
  return (
    <section aria-label="Summary" className="grid grid-cols-1 gap-4 pt-1">
      <Counts counts={counts} />
      <LineGroup title="Rejected" count={result.refused} lines={findExamples('refused')} open />
      <LineGroup title="New" count={result.new} lines={findExamples('new')} open />
      <LineGroup title="Already listed" count={result.known} lines={findExamples('known')} />
    </section>
  );
}
