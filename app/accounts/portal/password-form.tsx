import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '../../ui/button.tsx';
import { showFirstError } from '../../ui/first-error.ts';
import { Form } from '../../ui/form.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { changePassword, isSignInTooOld, isWrongPassword } from '../authentication.ts';
import { passwordChangeSchema } from '../credentials.ts';
import type { Account } from '../session.ts';
import { AccountSection } from './account-section.tsx';

interface PasswordFormProps {
  account: Account;
  /** True if the current password is required. Users who signed in with an email link may not know their password. */
  requiresCurrent: boolean;
}

export function PasswordForm({ account, requiresCurrent }: PasswordFormProps) {
  const [isSessionOld, setIsSessionOld] = useState(false);
  const asksForCurrent = requiresCurrent || isSessionOld;
  const { register, handleSubmit, reset, setError, formState } = useForm({
    resolver: zodResolver(passwordChangeSchema(asksForCurrent)),
    defaultValues: { current: '', password: '' },
  });
  const change = useMutationWithToasts(
    {
      mutationFn: changePassword,
      onSuccess: () => reset(),
      onError: (error) => {
        const message = currentPasswordError(error);
        if (isSignInTooOld(error)) setIsSessionOld(true);
        if (message) setError('current', { message }, { shouldFocus: true });
      },
    },
    {
      success: 'Password changed',
      failure: (error) => (currentPasswordError(error) ? null : 'Could not change the password'),
    },
  );

  return (
    <AccountSection title="Password" description="Choose a new password. You stay signed in here.">
      <Form
        onSubmit={handleSubmit((passwords) => change.mutate(passwords), showFirstError)}
        className="grid grid-cols-1 gap-4"
      >
        <input type="hidden" name="username" autoComplete="username" value={account.email} />
        {asksForCurrent && (
          <PasswordField label="Current password" error={formState.errors.current?.message} {...register('current')} />
        )}
        <PasswordField
          label="New password"
          isNewPassword
          error={formState.errors.password?.message}
          {...register('password')}
        />
        <Button
          type="submit"
          variant={formState.isDirty ? 'primary' : 'secondary'}
          loading={change.isPending}
          className="justify-self-start"
        >
          Change password
        </Button>
      </Form>
    </AccountSection>
  );
}

/** Returns the field error if the current password caused the failure, otherwise null. */
function currentPasswordError(error: Error): string | null {
  if (isWrongPassword(error)) return error.message;
  if (isSignInTooOld(error))
    return 'You signed in a while ago. Enter your current password, or sign in again with an emailed link.';
  return null;
}
