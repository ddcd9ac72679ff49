import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { showFirstError } from '../../ui/first-error.ts';
import { Form } from '../../ui/form.tsx';
import { Input } from '../../ui/input.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import {
  addressConfirmationQuery,
  mailedCodeSchema,
  sendLinkMutation,
  verifyCodeMutation,
  verifyLinkMutation,
} from '../address-confirmation.ts';

interface ConfirmAddressProps {
  email: string;
  /** Explains why the address must be confirmed. */
  reason: string;
}

/** Sends the confirmation email and verifies its code. Renders nothing once the address is confirmed. */
export function ConfirmAddress({ email, reason }: ConfirmAddressProps) {
  const { data: isConfirmed } = useQuery(addressConfirmationQuery);
  useOpenedLink();
  const sendLink = useMutationWithToasts(sendLinkMutation, {
    success: ['Check your email', 'Open the link in this browser, or enter the code here.'],
    failure: 'Could not send the link',
  });
  const { register, handleSubmit, formState } = useForm({ resolver: zodResolver(mailedCodeSchema) });
  const verifyCode = useMutationWithToasts(verifyCodeMutation, {
    success: 'Address confirmed',
    failure: 'Could not confirm the address',
  });
  if (isConfirmed !== false || !email) return null;
  return (
    <section aria-labelledby="confirm-address" className="grid gap-4 rounded-md border border-line bg-surface p-5">
      <div className="grid gap-1">
        <h2 id="confirm-address" className="font-semibold">
          Confirm your address
        </h2>
        <p className="text-muted">{reason}</p>
      </div>
      <Button
        variant="secondary"
        loading={sendLink.isPending}
        className="justify-self-start"
        onClick={() => sendLink.mutate(email)}
      >
        Send me a link
      </Button>
      {sendLink.isSuccess && (
        <Form
          onSubmit={handleSubmit(({ code }) => verifyCode.mutate({ email, code }), showFirstError)}
          className="grid grid-cols-1 gap-4"
        >
          <Field label="Code from the email" error={formState.errors.code?.message}>
            <Input inputMode="numeric" autoComplete="one-time-code" {...register('code')} />
          </Field>
          <Button type="submit" loading={verifyCode.isPending} className="justify-self-start">
            Confirm
          </Button>
        </Form>
      )}
    </section>
  );
}

/** Completes the verification once if the URL contains the code of an emailed link. */
function useOpenedLink() {
  const router = useRouter();
  const verifyLink = useMutationWithToasts(verifyLinkMutation, {
    success: 'Address confirmed',
    failure: 'Could not confirm the address',
  });
  const open = useEffectEvent(() => {
    const url = new URL(window.location.href);
    const code = url.searchParams.get('code');
    if (!code) return;
    router.history.replace(url.pathname);
    verifyLink.mutate(code);
  });
  useEffect(() => open(), []);
}
