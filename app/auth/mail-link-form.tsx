import { type ReactNode, useState } from 'react';
import { emailSchema } from '../data/accounts.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { tellFailure } from '../ui/tell-failure.ts';
import { useSchemaForm } from '../ui/use-schema-form.ts';
import { authFailure } from './auth-failure.ts';
import { AuthLayout } from './auth-layout.tsx';
import { CheckYourMail } from './check-your-mail.tsx';

interface MailLinkFormProps {
  title: string;
  description: string;
  submitLabel: string;
  /** What the link in the mail does, told afterwards. */
  afterwards: ReactNode;
  /** Asks for the mail. */
  request: (address: string) => Promise<void>;
  onBack: () => void;
}

/** An address and a button: asks for a mail with a link. */
export function MailLinkForm({ title, description, submitLabel, afterwards, request, onBack }: MailLinkFormProps) {
  const [mailedTo, setMailedTo] = useState<string | null>(null);
  const { errors, sending, formProps } = useSchemaForm(emailSchema, async ({ email }) => {
    try {
      await request(email);
      setMailedTo(email);
    } catch (error) {
      tellFailure(authFailure('The message could not be sent', error), error);
    }
  });

  if (mailedTo) {
    return (
      <CheckYourMail address={mailedTo} onBack={onBack}>
        {afterwards}
      </CheckYourMail>
    );
  }
  return (
    <AuthLayout title={title} description={description}>
      <form {...formProps} className="grid gap-5">
        <Field label="Email" error={errors['email']}>
          <Input name="email" type="email" autoComplete="username" />
        </Field>
        <Button type="submit" loading={sending}>
          {submitLabel}
        </Button>
        <Button variant="ghost" onClick={onBack}>
          Back to sign in
        </Button>
      </form>
    </AuthLayout>
  );
}
