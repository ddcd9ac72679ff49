import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Input } from '../../ui/input.tsx';
import { AuthLayout } from './auth-layout.tsx';
import type { AuthScreen } from './auth-screen.ts';
import { CheckYourMail } from './check-your-mail.tsx';
import { type AuthCode, useAuthForm } from './use-auth-form.ts';

interface MailLinkFormProps {
  title: string;
  description: string;
  submitLabel: string;
  /** Explains the link after the email has been sent. */
  sentText: ReactNode;
  /** Sends the email. */
  request: (code: AuthCode, address: string) => Promise<void>;
  /** Email address entered on another screen. */
  address: string;
  onSwitch: (screen: AuthScreen, address: string) => void;
}

/** Form that requests an email with a link. */
export function MailLinkForm({
  title,
  description,
  submitLabel,
  sentText,
  address,
  request,
  onSwitch,
}: MailLinkFormProps) {
  const [mailedTo, setMailedTo] = useState<string | null>(null);
  const { form, errorAt, isSending, typedAddress } = useAuthForm({
    getSchema: (code) => code.emailSchema,
    send: (code, { email }) => request(code, email),
    onSent: (_result, { email }) => setMailedTo(email),
    failure: 'Could not send the email',
    errorField: 'email',
  });

  if (mailedTo) {
    return (
      <CheckYourMail address={mailedTo} onBack={() => onSwitch('sign-in', mailedTo)}>
        {sentText}
      </CheckYourMail>
    );
  }
  return (
    <AuthLayout title={title} description={description}>
      <Form {...form} className="grid gap-5">
        <Field label="Email" error={errorAt('email')}>
          <Input name="email" type="email" autoComplete="username" defaultValue={address || undefined} />
        </Field>
        <Button type="submit" loading={isSending}>
          {submitLabel}
        </Button>
        <Button variant="ghost" onClick={() => onSwitch('sign-in', typedAddress())}>
          Back to sign in
        </Button>
      </Form>
    </AuthLayout>
  );
}
