import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { useForm } from 'react-hook-form';
import { Field } from '../../ui/field.tsx';
import { showFirstError } from '../../ui/first-error.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { formatTime } from '../../ui/lib/format-time.ts';
import { Select } from '../../ui/select.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { Client } from '../clients.ts';
import { newestFilesQuery } from '../files/files.ts';
import { fileApprovalSchema, requestFileApprovalMutation } from './approval-files.ts';
import type { Approval } from './approvals.ts';

interface RequestFileApprovalDialogProps {
  client: Pick<Client, 'id' | 'name'>;
  /** File that receives a new version. Undefined for a new approval. */
  approval?: Approval;
  /** Receives keyboard focus if the dialog was opened from a menu. */
  focusAfter?: RefObject<HTMLElement | null> | undefined;
  onClose: () => void;
}

/** Requests approval of one of the client's files. */
export function RequestFileApprovalDialog({ client, approval, focusAfter, onClose }: RequestFileApprovalDialogProps) {
  const { data: files } = useQuery(newestFilesQuery(client.id));
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(fileApprovalSchema),
    defaultValues: {
      title: approval?.title ?? '',
      text: approval?.text ?? '',
      file_id: '',
      due_on: approval?.due_on ?? '',
    },
  });
  const request = useMutationWithToasts(requestFileApprovalMutation, {
    success: [
      `Sent to ${client.name} for approval`,
      'The client’s approvers are notified by email. We email you when they decide.',
    ],
    failure: 'Could not request approval',
  });
  return (
    <FormDialog
      title={approval ? 'Choose a new version of the file' : 'Ask for approval of a file'}
      description={`${client.name} can open the file and approve it, request changes, or decline it. The file cannot be changed afterwards.`}
      submitLabel="Ask for approval"
      isPending={request.isPending}
      focusAfter={focusAfter}
      onClose={onClose}
      onSubmit={handleSubmit(
        (values) => request.mutate({ clientId: client.id, id: approval?.id, ...values }, { onSuccess: onClose }),
        showFirstError,
      )}
    >
      <Field label="Title" required aside="Required" error={formState.errors.title?.message}>
        <Input data-initial-focus {...register('title')} />
      </Field>
      <Field
        label="File"
        required
        aside="Required"
        help={files?.length === 0 ? 'No files yet. Add one under Files first.' : 'Choose one of the client’s files.'}
        error={formState.errors.file_id?.message}
      >
        <Select {...register('file_id')}>
          <option value="">Choose a file</option>
          {files?.map(({ id, name, created_at }) => (
            <option key={id} value={id}>{`${name}, ${formatTime(created_at)}`}</option>
          ))}
        </Select>
      </Field>
      <Field
        label="Description"
        required
        aside="Required"
        help="Describe its purpose, and what changed since the last version."
        error={formState.errors.text?.message}
      >
        <Textarea rows={3} {...register('text')} />
      </Field>
      <Field label="Answer needed by" error={formState.errors.due_on?.message}>
        <Input type="date" {...register('due_on')} />
      </Field>
    </FormDialog>
  );
}
