import { changeEmail, emailSchema } from '../../data/accounts.ts';
import type { Account } from '../../data/session.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { tellFailure } from '../../ui/tell-failure.ts';
import { toast } from '../../ui/toast.ts';
import { useSchemaForm } from '../../ui/use-schema-form.ts';
import { AccountSection } from './account-section.tsx';

export function EmailForm({ account }: { account: Account }) {
  const { errors, sending, formProps } = useSchemaForm(emailSchema, async ({ email }, form) => {
    try {
      await changeEmail(email);
      form.reset();
      toast.success(
        'Check both mailboxes',
        'Open the link in each message; your address changes when both are confirmed.',
      );
    } catch (error) {
      tellFailure('The address was not changed', error);
    }
  });

  return (
    <AccountSection title="Email" description={`Now ${account.email}. A change is confirmed from both addresses.`}>
      <form {...formProps} className="grid justify-items-start gap-4">
        <Field label="New email" error={errors['email']} className="w-full">
          <Input name="email" type="email" autoComplete="email" />
        </Field>
        <Button type="submit" loading={sending}>
          Change email
        </Button>
      </form>
    </AccountSection>
  );
}
