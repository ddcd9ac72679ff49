import { zodResolver } from '@hookform/resolvers/zod';
import { FileUp } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { useForm } from 'react-hook-form';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Field } from '../../ui/field.tsx';
import { showFirstError } from '../../ui/first-error.ts';
import { FileButton } from '../../ui/form/file-button.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { Counts, LineGroup } from '../../ui/line-group.tsx';
import { messageOf } from '../../ui/show-error.ts';
import { Textarea } from '../../ui/textarea.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { Client } from '../clients.ts';
import {
  listApprovalSchema,
  type RowsResult,
  requestListApprovalMutation,
  validateListMutation,
} from './approval-lists.ts';
import type { Approval } from './approvals.ts';
import { hashListFile, type Prospect, readProspects, unsupportedColumns } from './prospect-file.ts';
import { RemovedRows } from './removed-rows.tsx';

interface RequestListApprovalDialogProps {
  client: Pick<Client, 'id' | 'name'>;
  /** List that receives a new version. Undefined for a new approval. */
  approval?: Approval;
  /** Receives keyboard focus if the dialog was opened from a menu. */
  focusAfter?: RefObject<HTMLElement | null> | undefined;
  onClose: () => void;
}

interface ListPreview {
  fileName: string;
  rows: Prospect[];
  sha256: string | undefined;
  /** CSV columns that are not stored. */
  unsupported: string[];
  result: RowsResult;
}

/** Requests approval of the rows of a CSV file. Rejected rows are shown before the request is sent. */
export function RequestListApprovalDialog({ client, approval, focusAfter, onClose }: RequestListApprovalDialogProps) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(listApprovalSchema),
    defaultValues: { title: approval?.title ?? '', text: approval?.text ?? '', due_on: approval?.due_on ?? '' },
  });
  const [fileError, setFileError] = useState<string | null>(null);
  const [preview, setPreview] = useState<ListPreview | null>(null);
  const [restoredLines, setRestoredLines] = useState<readonly number[]>([]);
  const rowCount = preview ? preview.result.new + restoredLines.length : 0;
  const target = { clientId: client.id, id: approval?.id };
  const validate = useMutationWithToasts(validateListMutation, {
    failure: 'Approval cannot be requested for this list',
  });
  const request = useMutationWithToasts(requestListApprovalMutation, {
    success: [
      `Sent to ${client.name} for approval`,
      'The client’s approvers are notified by email. We email you when they decide.',
    ],
    failure: 'Could not request approval',
  });
  const previewFile = async (file: File) => {
    setPreview(null);
    setRestoredLines([]);
    try {
      const rows = await readProspects(file);
      const unsupported = await unsupportedColumns(file);
      const sha256 = await hashListFile(file);
      setFileError(null);
      validate.mutate(
        { ...target, title: '', text: '', due_on: '', rows },
        { onSuccess: (result) => setPreview({ fileName: file.name, rows, sha256, unsupported, result }) },
      );
    } catch (failure) {
      setFileError(messageOf(failure));
    }
  };
  return (
    <FormDialog
      title={approval ? 'Upload a new version of the list' : 'Ask for approval of a list'}
      description={`${client.name} can remove rows and companies, and approves the rest. Email addresses are stored as hashes.`}
      submitLabel={submitLabel(preview ? rowCount : undefined)}
      isPending={request.isPending}
      disabled={rowCount === 0}
      focusAfter={focusAfter}
      onClose={onClose}
      onSubmit={handleSubmit((values) => {
        if (!preview) return;
        const { rows, sha256 } = preview;
        request.mutate({ ...target, ...values, rows, restoredLines, sha256 }, { onSuccess: onClose });
      }, showFirstError)}
    >
      <Field label="Title" required aside="Required" error={formState.errors.title?.message}>
        <Input data-initial-focus {...register('title')} />
      </Field>
      <Field
        label="Description"
        required
        aside="Required"
        help="Describe who is on the list and how it was compiled."
        error={formState.errors.text?.message}
      >
        <Textarea rows={3} {...register('text')} />
      </Field>
      <Field label="Answer needed by" error={formState.errors.due_on?.message}>
        <Input type="date" {...register('due_on')} />
      </Field>
      <FileChoice
        fileName={preview?.fileName}
        isPending={validate.isPending}
        onFile={(file) => void previewFile(file)}
      />
      {fileError && <ErrorNote title="Could not read the file">{fileError}</ErrorNote>}
      {preview && <RowsPreview {...preview} restoredLines={restoredLines} onRestore={setRestoredLines} />}
    </FormDialog>
  );
}

interface FileChoiceProps {
  /** Undefined until a file is chosen. */
  fileName: string | undefined;
  isPending: boolean;
  onFile: (file: File) => void;
}

function FileChoice({ fileName, isPending, onFile }: FileChoiceProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <FileButton
        variant="secondary"
        size="sm"
        loading={isPending}
        accept=".csv,text/csv,text/plain"
        onFiles={([file]) => file && onFile(file)}
      >
        <FileUp aria-hidden="true" />
        {fileName === undefined ? 'Choose a CSV' : 'Choose another CSV'}
      </FileButton>
      <p className="text-sm text-muted [overflow-wrap:anywhere]">
        {fileName ?? 'Possible columns: Email, Company, Website, Name, Title and Why.'}
      </p>
    </div>
  );
}

function submitLabel(rows?: number): string {
  if (rows === undefined) return 'Ask for approval';
  return `Ask for approval of ${rows === 1 ? '1 row' : `${rows.toLocaleString('en-GB')} rows`}`;
}

interface RowsPreviewProps extends ListPreview {
  restoredLines: readonly number[];
  onRestore: (lines: readonly number[]) => void;
}

function RowsPreview({ result, unsupported, restoredLines, onRestore }: RowsPreviewProps) {
  const findExamples = (state: string) =>
    result.examples
      .filter((example) => example.state === state)
      .map(({ line, text, reason }) => ({ line, text: [text, reason].filter(Boolean).join('. ') }));
  const counts = [
    ['Included', result.new + restoredLines.length],
    ['Companies', result.companies],
    ...(result.removed > 0 ? [['Previously removed', result.removed - restoredLines.length] as const] : []),
    ['Rejected', result.refused],
  ] as const;
  return (
    <section aria-label="Summary" className="grid grid-cols-1 gap-4">
      {unsupported.length > 0 && (
        <p className="text-sm text-muted [overflow-wrap:anywhere]">
          {`These columns are not stored, so the client does not see them: ${unsupported.join(', ')}.`}
        </p>
      )}
      <Counts counts={counts} />
      <RemovedRows result={result} restoredLines={restoredLines} onRestore={onRestore} />
      <LineGroup title="Rejected" count={result.refused} lines={findExamples('refused')} open />
      <LineGroup title="Included" count={result.new} lines={findExamples('new')} />
    </section>
  );
}
