import { zodResolver } from '@hookform/resolvers/zod';
import { type RefObject, useState } from 'react';
import { useController, useForm } from 'react-hook-form';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { showFirstError } from '../../ui/first-error.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { oneLine } from '../../ui/lib/one-line.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { Client } from '../clients.ts';
import { LibraryDialog } from '../library/library-dialog.tsx';
import { type Approval, requestTextApprovalMutation, textApprovalSchema } from './approvals.ts';
import { formatMessage, parseMessage } from './message.ts';
import { MessageText } from './message-text.tsx';
import { TextResults } from './text-results.tsx';

interface RequestTextApprovalDialogProps {
  client: Pick<Client, 'id' | 'name'>;
  /** Text that receives a new version. Undefined for a new approval. */
  approval?: Approval;
  /** Receives keyboard focus if the dialog was opened from a menu. */
  focusAfter?: RefObject<HTMLElement | null> | undefined;
  onClose: () => void;
}

/** Subject and body are stored as one text. */
const messageSchema = textApprovalSchema.extend({
  subject: oneLine.max(200, 'Subject must be at most 200 characters'),
});

/** Requests approval of a text. The input is kept if the request fails, and while the library is open. */
export function RequestTextApprovalDialog({ client, approval, focusAfter, onClose }: RequestTextApprovalDialogProps) {
  const { subject, body } = parseMessage(approval?.text ?? '');
  const [isChoosing, setChoosing] = useState(false);
  const { control, register, handleSubmit, formState, setValue } = useForm({
    resolver: zodResolver(messageSchema),
    defaultValues: { title: approval?.title ?? '', subject, text: body, due_on: approval?.due_on ?? '' },
  });
  const { field: text } = useController({ control, name: 'text' });
  const request = useMutationWithToasts(requestTextApprovalMutation, {
    success: [
      `Sent to ${client.name} for approval`,
      'The client’s approvers are notified by email. We email you when they decide.',
    ],
    failure: 'Could not request approval',
  });
  if (isChoosing) {
    return (
      <LibraryDialog
        onUse={({ subject, body }) => {
          setValue('subject', subject, { shouldDirty: true });
          setValue('text', body, { shouldDirty: true });
          setChoosing(false);
        }}
        onClose={() => setChoosing(false)}
      />
    );
  }
  return (
    <FormDialog
      title={approval ? 'Next version' : 'Ask for approval'}
      description={
        approval
          ? `${client.name} sees the text with the changes marked, and can show the previous version.`
          : `${client.name} sees the text exactly as shown here. They can approve it, approve it with changes, request changes, or decline.`
      }
      submitLabel="Ask for approval"
      savesByKeyboard
      isPending={request.isPending}
      focusAfter={focusAfter}
      onClose={onClose}
      onSubmit={handleSubmit(
        ({ subject, text: body, ...values }) =>
          request.mutate(
            { clientId: client.id, id: approval?.id, ...values, text: formatMessage({ subject, body }) },
            { onSuccess: onClose },
          ),
        showFirstError,
      )}
    >
      <Field label="Title" required aside="Required" error={formState.errors.title?.message}>
        <Input {...(!approval && { 'data-initial-focus': true })} {...register('title')} />
      </Field>
      {!approval && (
        <Button variant="link" className="justify-self-start" onClick={() => setChoosing(true)}>
          Start from a text in the library
        </Button>
      )}
      <Field
        label="Subject"
        aside="Optional"
        help="Leave empty for a message without a subject."
        error={formState.errors.subject?.message}
      >
        <Input {...register('subject')} />
      </Field>
      <MessageText field={text} error={formState.errors.text?.message} hasInitialFocus={approval !== undefined} />
      <TextResults clientId={client.id} />
      <Field label="Answer needed by" error={formState.errors.due_on?.message}>
        <Input type="date" {...register('due_on')} />
      </Field>
    </FormDialog>
  );
}
