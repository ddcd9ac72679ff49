import { changePassword, newPasswordSchema } from '../../data/accounts.ts';
import type { Account } from '../../data/session.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { tellFailure } from '../../ui/tell-failure.ts';
import { toast } from '../../ui/toast.ts';
import { useSchemaForm } from '../../ui/use-schema-form.ts';
import { AccountSection } from './account-section.tsx';

export function PasswordForm({ account }: { account: Account }) {
  const { errors, sending, formProps } = useSchemaForm(newPasswordSchema, async ({ password }, form) => {
    try {
      await changePassword(password);
      form.reset();
      toast.success('Password changed');
    } catch (error) {
      tellFailure('The password was not changed', error);
    }
  });

  return (
    <AccountSection title="Password" description="Choose a new one; you stay signed in here.">
      <form {...formProps} className="grid justify-items-start gap-4">
        <input type="hidden" name="username" autoComplete="username" value={account.email} />
        <Field
          label="New password"
          error={errors['password']}
          help="8 to 128 characters, with an uppercase letter, a lowercase letter and a number."
          className="w-full"
        >
          <Input name="password" type="password" autoComplete="new-password" minLength={6} />
        </Field>
        <Button type="submit" loading={sending}>
          Change password
        </Button>
      </form>
    </AccountSection>
  );
}
