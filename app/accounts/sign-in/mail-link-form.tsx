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
  /** Purpose of the link in the mail, told afterwards. */
  afterwards: ReactNode;
  /** Asks for the mail. */
  request: (code: AuthCode, address: string) => Promise<void>;
  /** Email address that was typed on another screen of this page. */
  address: string;
  onSwitch: (screen: AuthScreen, address: string) => void;
}

/** An address and a button: asks for a mail with a link. */
export function MailLinkForm({
  title,
  description,
  submitLabel,
  afterwards,
  address,
  request,
  onSwitch,
}: MailLinkFormProps) {
  const [mailedTo, setMailedTo] = useState<string | null>(null);
  const { form, errorAt, isSending, typedAddress } = useAuthForm({
    rules: (code) => code.emailSchema,
    send: (code, { email }) => request(code, email),
    onSent: (_nothing, { email }) => setMailedTo(email),
    failure: 'The message could not be sent',
    refusedAt: 'email',
  });

  if (mailedTo) {
    return (
      <CheckYourMail address={mailedTo} onBack={() => onSwitch('sign-in', mailedTo)}>
        {afterwards}
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
