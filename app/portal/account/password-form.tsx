import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { changePassword, newPasswordSchema } from '../../data/accounts.ts';
import type { Account } from '../../data/session.ts';
import { Button } from '../../ui/button.tsx';
import { tellFirstError } from '../../ui/first-error.ts';
import { Form } from '../../ui/form.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { AccountSection } from './account-section.tsx';

export function PasswordForm({ account }: { account: Account }) {
  const { register, handleSubmit, reset, formState } = useForm({ resolver: zodResolver(newPasswordSchema) });
  const changing = useMutationWithToasts(
    { mutationFn: changePassword, onSuccess: () => reset() },
    { success: 'Password changed', failure: 'The password was not changed' },
  );

  return (
    <AccountSection title="Password" description="Choose a new one; you stay signed in here.">
      <Form
        onSubmit={handleSubmit(({ password }) => changing.mutate(password), tellFirstError)}
        className="grid grid-cols-1 gap-4"
      >
        <input type="hidden" name="username" autoComplete="username" value={account.email} />
        <PasswordField
          label="New password"
          choosesNew
          error={formState.errors.password?.message}
          {...register('password')}
        />
        <Button type="submit" loading={changing.isPending} className="justify-self-start">
          Change password
        </Button>
      </Form>
    </AccountSection>
  );
}
