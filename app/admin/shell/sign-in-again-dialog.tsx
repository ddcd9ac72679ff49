import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { signIn } from '../../accounts/authentication.ts';
import { watchSignIns } from '../../accounts/ended-session.ts';
import { SecondFactorForm } from '../../accounts/factors/second-factor-form.tsx';
import { type Account, accountQuery } from '../../accounts/session.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { messageOf } from '../../ui/show-error.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';

const schema = z.object({ password: z.string().min(1, 'Password is required') });

interface SignInAgainDialogProps {
  account: Account;
  /** Called with true after a sign-in, or with false if the dialog was cancelled. */
  onClose: (hasSignedIn: boolean) => void;
}

/** Renders a dialog to sign in again, without leaving the page, after the session has ended. */
export function SignInAgainDialog({ account, onClose }: SignInAgainDialogProps) {
  const { email } = account;
  const [isFactorRequired, setFactorRequired] = useState(false);
  const otherEmail = useSignIns(account, (current) => {
    if (current?.factorDue === 'verify') setFactorRequired(true);
    else onClose(true);
  });
  const { register, handleSubmit, formState, setError } = useForm({
    resolver: zodResolver(schema),
    defaultValues: { password: '' },
  });
  const signInAgain = useMutationWithToasts(
    { mutationFn: ({ password }: z.infer<typeof schema>) => signIn({ email, password }) },
    // The field shows the error.
    { failure: () => null },
  );

  if (isFactorRequired) {
    return (
      <Dialog
        open
        onOpenChange={(open) => !open && onClose(false)}
        title="One more step"
        description={`Confirm that you are ${email}. Your work on this page is kept.`}
      >
        <div className="pt-1 pb-5">
          <SecondFactorForm onVerified={() => onClose(true)} />
        </div>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title="You were signed out"
      description="Your work on this page is kept. Sign in again to continue."
      submitLabel="Sign in"
      isPending={signInAgain.isPending}
      onClose={() => onClose(false)}
      savesByKeyboard
      onSubmit={handleSubmit((values) =>
        signInAgain.mutate(values, {
          onError: (error) => setError('password', { message: messageOf(error) }, { shouldFocus: true }),
        }),
      )}
    >
      {otherEmail && (
        <p role="alert" className="rounded-md bg-warning-soft px-4 py-3 text-[0.9375rem]">
          {otherEmail} has signed in with this browser. Only {email} can continue here.
        </p>
      )}
      <Field label="Email" help="To use another account, cancel and sign in with it on the sign-in page.">
        <Input type="email" autoComplete="username" readOnly value={email} className="bg-sunken!" />
      </Field>
      <PasswordField
        data-initial-focus
        label="Password"
        error={formState.errors.password?.message}
        {...register('password')}
      />
      <a
        href="/auth"
        target="_blank"
        rel="noopener"
        className="justify-self-start text-[0.9375rem] text-accent underline underline-offset-4"
      >
        Use another way to sign in<span className="sr-only"> (in a new tab)</span>
      </a>
    </FormDialog>
  );
}

/**
 * Calls `onSignIn` with the account when the person signs in, in any tab.
 *
 * @returns the email address of another person who has signed in with this browser
 */
function useSignIns({ id }: Account, onSignIn: (account: Account | null) => void): string | undefined {
  const queryClient = useQueryClient();
  const [otherEmail, setOtherEmail] = useState<string>();
  const handleSignIn = useEffectEvent(async (user: { id: string; email: string }) => {
    if (user.id !== id) return setOtherEmail(user.email);
    // The role may have changed.
    onSignIn(await queryClient.fetchQuery({ ...accountQuery, staleTime: 0 }).catch(() => null));
  });
  useEffect(() => {
    const unsubscribing = watchSignIns((user) => void handleSignIn(user));
    return () => void unsubscribing.then((unsubscribe) => unsubscribe());
  }, []);
  return otherEmail;
}
