import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { Field } from '../../ui/field.tsx';
import { showFirstError } from '../../ui/first-error.ts';
import { requiredMark } from '../../ui/form/required-mark.ts';
import { SaveError } from '../../ui/form/save-error.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { Select } from '../../ui/select.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { invitationSchema, inviteMutation } from '../people.ts';

/** Invitation form. The input is kept if sending fails. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(invitationSchema),
    defaultValues: { email: '', role: 'client' as const },
  });
  const invite = useMutationWithToasts(inviteMutation, {
    success: (_result, { email }) => ['Invitation sent', `We sent ${email} an email with a sign-in link.`],
    failure: 'Could not send the invitation',
  });
  return (
    <FormDialog
      title="Invite someone"
      description="They get the role immediately. We email them in your name, with a sign-in link that is valid for seven days."
      submitLabel="Send invitation"
      isPending={invite.isPending}
      onClose={onClose}
      onSubmit={handleSubmit((invitation) => invite.mutate(invitation, { onSuccess: onClose }), showFirstError)}
    >
      <SaveError error={invite.error} />
      <Field label="Email" {...requiredMark(true)} error={formState.errors.email?.message}>
        <Input type="email" autoComplete="off" data-initial-focus {...register('email')} />
      </Field>
      <Field
        label="Role"
        help="To make someone an admin, wait until they have signed in. Then change their role under People."
      >
        <Select {...register('role')}>
          <option value="client">Client</option>
          <option value="team">Team member</option>
        </Select>
      </Field>
    </FormDialog>
  );
}
