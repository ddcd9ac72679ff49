import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { showFirstError } from '../../ui/first-error.ts';
import { Form } from '../../ui/form.tsx';
import { Input } from '../../ui/input.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { changeEmail } from '../authentication.ts';
import { emailSchema } from '../credentials.ts';
import type { Account } from '../session.ts';
import { AccountSection } from './account-section.tsx';

export function EmailForm({ account }: { account: Account }) {
  const { register, handleSubmit, reset, formState } = useForm({
    resolver: zodResolver(emailSchema),
    defaultValues: { email: '' },
  });
  const change = useMutationWithToasts(
    { mutationFn: changeEmail, onSuccess: () => reset() },
    {
      success: ['Check both mailboxes', 'Open the link in each message. Your address changes once both are confirmed.'],
      failure: 'Could not change the address',
    },
  );

  return (
    <AccountSection
      title="Email"
      description={
        account.email
          ? 'A change must be confirmed from both addresses.'
          : 'You have no email address yet. We email a link to confirm it.'
      }
    >
      <Form
        onSubmit={handleSubmit(({ email }) => change.mutate(email), showFirstError)}
        className="grid grid-cols-1 gap-4"
      >
        <Field label="New email" error={formState.errors.email?.message}>
          <Input type="email" autoComplete="email" {...register('email')} />
        </Field>
        <Button
          type="submit"
          variant={formState.isDirty ? 'primary' : 'secondary'}
          loading={change.isPending}
          className="justify-self-start"
        >
          Change email
        </Button>
      </Form>
    </AccountSection>
  );
}
