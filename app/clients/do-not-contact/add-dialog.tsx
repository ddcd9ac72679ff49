import { FileUp } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { FileButton } from '../../ui/form/file-button.tsx';
import { Counts, LineGroup } from '../../ui/line-group.tsx';
import { RefusalNote } from '../../ui/refusal-note.tsx';
import { messageOf } from '../../ui/show-error.ts';
import { Textarea } from '../../ui/textarea.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { addLinesMutation, type ListJudgement, validateLinesMutation } from './do-not-contact.ts';
import { type ListLine, parseEntries, readListFile } from './do-not-contact-file.ts';

interface AddToListDialogProps {
  client: { id: string; name: string };
  onClose: () => void;
}

interface Judged {
  lines: ListLine[];
  judgement: ListJudgement;
}

/** Adds domains and addresses from text or a CSV file, after a preview. */
export function AddToListDialog({ client, onClose }: AddToListDialogProps) {
  const [text, setText] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const [judged, setJudged] = useState<Judged | null>(null);
  const attempt = useMutationWithToasts(validateLinesMutation, { failure: 'These entries cannot be added' });
  const add = useMutationWithToasts(addLinesMutation, {
    success: (done) => [
      done.new === 1 ? '1 entry added' : `${done.new.toLocaleString('en-GB')} entries added`,
      'Campaigns will no longer contact them.',
    ],
    failure: 'Could not add the entries',
  });
  const judge = async (read: () => ListLine[] | Promise<ListLine[]>) => {
    try {
      const lines = await read();
      setRefusal(null);
      if (lines.length === 0) setRefusal('Enter at least one domain or email address.');
      else
        attempt.mutate({ clientId: client.id, lines }, { onSuccess: (judgement) => setJudged({ lines, judgement }) });
    } catch (failure) {
      setRefusal(messageOf(failure));
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Add to the blocklist"
      description={
        judged
          ? 'You see a preview before anything is added.'
          : `No campaign of ${client.name} will contact these domains and addresses. Email addresses are stored as hashes, so they cannot be read.`
      }
      footer={
        judged ? (
          <>
            <Button variant="secondary" onClick={() => setJudged(null)}>
              Back
            </Button>
            <Button
              disabled={judged.judgement.new === 0}
              loading={add.isPending}
              onClick={() => add.mutate({ clientId: client.id, lines: judged.lines }, { onSuccess: onClose })}
            >
              {judged.judgement.new === 1
                ? 'Add 1 entry'
                : `Add ${judged.judgement.new.toLocaleString('en-GB')} entries`}
            </Button>
          </>
        ) : (
          <>
            <Button variant="secondary" onClick={onClose}>
              Cancel
            </Button>
            <Button loading={attempt.isPending} onClick={() => void judge(() => parseEntries(text))}>
              Preview
            </Button>
          </>
        )
      }
    >
      {judged ? (
        <JudgedEntries judgement={judged.judgement} />
      ) : (
        <EntriesField
          text={text}
          refusal={refusal}
          onText={setText}
          onFile={(file) => void judge(() => readListFile(file))}
        />
      )}
    </Dialog>
  );
}

interface EntriesFieldProps {
  text: string;
  refusal: string | null;
  onText: (text: string) => void;
  onFile: (file: File) => void;
}

function EntriesField({ text, refusal, onText, onFile }: EntriesFieldProps) {
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
      {refusal && <RefusalNote title="Skipped">{refusal}</RefusalNote>}
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

function JudgedEntries({ judgement }: { judgement: ListJudgement }) {
  const examplesIn = (state: string) =>
    judgement.examples
      .filter((example) => example.state === state)
      .map(({ line, text, reason }) => ({ line, text: [text || 'Nothing', reason].filter(Boolean).join('. ') }));
  const counts = [
    ['New', judgement.new],
    ['Already listed', judgement.known],
    ['Rejected', judgement.refused],
  ] as const;
  return (
    <section aria-label="Summary" className="grid grid-cols-1 gap-4 pt-1">
      <Counts counts={counts} />
      <LineGroup title="Rejected" count={judgement.refused} lines={examplesIn('refused')} open />
      <LineGroup title="New" count={judgement.new} lines={examplesIn('new')} open />
      <LineGroup title="Already listed" count={judgement.known} lines={examplesIn('known')} />
    </section>
  );
}
