import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { Field } from '../../ui/field.tsx';
import { tellFirstError } from '../../ui/first-error.ts';
import { RefusedWrite } from '../../ui/form/refused-write.tsx';
import { requiredMark } from '../../ui/form/required-mark.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { Select } from '../../ui/select.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { invitationSchema, inviteMutation } from '../people.ts';

/** Asks whom to invite and as what. The typed text stays when it fails. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(invitationSchema),
    defaultValues: { email: '', role: 'client' as const },
  });
  const invite = useMutationWithToasts(inviteMutation, {
    success: (_nothing, { email }) => ['Invitation sent', `${email} gets a mail with a link that signs in.`],
    failure: 'The invitation was not sent',
  });
  return (
    <FormDialog
      title="Invite somebody"
      description="They get the role now, and an email that names you. Its link signs them in for seven days."
      submitLabel="Send invitation"
      isPending={invite.isPending}
      onClose={onClose}
      onSubmit={handleSubmit((invitation) => invite.mutate(invitation, { onSuccess: onClose }), tellFirstError)}
    >
      <RefusedWrite error={invite.error} />
      <Field label="Email" {...requiredMark(true)} error={formState.errors.email?.message}>
        <Input type="email" autoComplete="off" data-initial-focus {...register('email')} />
      </Field>
      <Field label="Role" help="You can make a person an admin under People once they have signed in.">
        <Select {...register('role')}>
          <option value="client">Client</option>
          <option value="team">Team member</option>
        </Select>
      </Field>
    </FormDialog>
  );
}
