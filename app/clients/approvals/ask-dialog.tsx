import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { Field } from '../../ui/field.tsx';
import { tellFirstError } from '../../ui/first-error.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { Client } from '../clients.ts';
import { type Approval, askMutation, askSchema } from './approvals.ts';

interface AskDialogProps {
  client: Pick<Client, 'id' | 'name'>;
  /** The text that gets its next version; without it a new one is asked for. */
  approval?: Approval;
  onClose: () => void;
}

/** Asks a client for a yes to a text. The typed text stays when asking fails. */
export function AskDialog({ client, approval, onClose }: AskDialogProps) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(askSchema),
    defaultValues: { title: approval?.title ?? '', text: approval?.text ?? '', due_on: approval?.due_on ?? '' },
  });
  const ask = useMutationWithToasts(askMutation, {
    success: [`${client.name} is asked`, 'Its people are told by mail. You are told when they decide.'],
    failure: 'The client was not asked',
  });
  return (
    <FormDialog
      title={approval ? 'Next version' : 'Ask for approval'}
      description={
        approval
          ? `${client.name} sees it beside the version before, with the changes marked.`
          : `The people of ${client.name} read the text as it is shown here. They approve it, approve it with changes, ask for changes, or decline.`
      }
      submitLabel="Ask"
      savesByKeyboard
      isPending={ask.isPending}
      onClose={onClose}
      onSubmit={handleSubmit(
        (values) => ask.mutate({ clientId: client.id, id: approval?.id, ...values }, { onSuccess: onClose }),
        tellFirstError,
      )}
    >
      <Field label="Title" required aside="Required" error={formState.errors.title?.message}>
        <Input {...(!approval && { 'data-initial-focus': true })} {...register('title')} />
      </Field>
      <Field
        label="Text"
        required
        aside="Required"
        help="As it will be sent, with merge fields such as {{first_name}}."
        error={formState.errors.text?.message}
      >
        <Textarea rows={10} {...(approval && { 'data-initial-focus': true })} {...register('text')} />
      </Field>
      <Field label="Answer needed by" error={formState.errors.due_on?.message}>
        <Input type="date" {...register('due_on')} />
      </Field>
    </FormDialog>
  );
}
