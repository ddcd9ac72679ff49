import { type ReactNode, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { tellFirstError } from '../ui/first-error.ts';
import { Form } from '../ui/form.tsx';
import { Input } from '../ui/input.tsx';
import { useMutationWithToasts } from '../ui/use-mutation-with-toasts.ts';
import { authFailure, refusalLine } from './auth-failure.ts';
import { AuthLayout } from './auth-layout.tsx';
import { CheckYourMail } from './check-your-mail.tsx';
import { lazyRules, preloadRules } from './lazy-rules.ts';

const RULES = lazyRules('email', ({ emailSchema }) => emailSchema);

interface MailLinkFormProps {
  title: string;
  description: string;
  submitLabel: string;
  /** Purpose of the link in the mail, told afterwards. */
  afterwards: ReactNode;
  /** Asks for the mail. */
  request: (address: string) => Promise<void>;
  onBack: () => void;
}

/** An address and a button: asks for a mail with a link. */
export function MailLinkForm({ title, description, submitLabel, afterwards, request, onBack }: MailLinkFormProps) {
  const [mailedTo, setMailedTo] = useState<string | null>(null);
  const { register, handleSubmit, formState, setFocus } = useForm({ resolver: RULES });
  const sending = useMutationWithToasts(
    { mutationFn: request, onSuccess: (_nothing, address) => setMailedTo(address), onError: () => setFocus('email') },
    { failure: (error) => authFailure('The message could not be sent', error) },
  );

  if (mailedTo) {
    return (
      <CheckYourMail address={mailedTo} onBack={onBack}>
        {afterwards}
      </CheckYourMail>
    );
  }
  return (
    <AuthLayout title={title} description={description}>
      <Form
        onFocus={preloadRules}
        onSubmit={handleSubmit(({ email }) => sending.mutate(email), tellFirstError)}
        className="grid gap-5"
      >
        <Field label="Email" error={formState.errors.email?.message ?? refusalLine(sending.error)}>
          <Input type="email" autoComplete="username" {...register('email', { onChange: sending.reset })} />
        </Field>
        <Button type="submit" loading={sending.isPending}>
          {submitLabel}
        </Button>
        <Button variant="ghost" onClick={onBack}>
          Back to sign in
        </Button>
      </Form>
    </AuthLayout>
  );
}
