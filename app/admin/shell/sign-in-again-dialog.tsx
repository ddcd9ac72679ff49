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
  /** Takes whether the person is back. */
  onAnswer: (isBack: boolean) => void;
}

/** Asks the person whose session ended to sign in again, above what they were doing. */
export function SignInAgainDialog({ account, onAnswer }: SignInAgainDialogProps) {
  const { email } = account;
  const [lacksFactor, setLacksFactor] = useState(false);
  const other = useOtherPerson(account, (current) => {
    if (current?.factorDue === 'show') setLacksFactor(true);
    else onAnswer(true);
  });
  const { register, handleSubmit, formState, setError } = useForm({
    resolver: zodResolver(schema),
    defaultValues: { password: '' },
  });
  const entering = useMutationWithToasts(
    { mutationFn: ({ password }: z.infer<typeof schema>) => signIn({ email, password }) },
    // The field shows the failure.
    { failure: () => null },
  );

  if (lacksFactor) {
    return (
      <Dialog
        open
        onOpenChange={(open) => !open && onAnswer(false)}
        title="One more step"
        description={`Show that you are ${email}. What you did here is not lost.`}
      >
        <div className="pt-1 pb-5">
          <SecondFactorForm onShown={() => onAnswer(true)} />
        </div>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title="You were signed out"
      description="What you did here is not lost. Sign in again, and it goes on."
      submitLabel="Sign in"
      isPending={entering.isPending}
      onClose={() => onAnswer(false)}
      savesByKeyboard
      onSubmit={handleSubmit((values) =>
        entering.mutate(values, {
          onError: (error) => setError('password', { message: messageOf(error) }, { shouldFocus: true }),
        }),
      )}
    >
      {other && (
        <p role="alert" className="rounded-md bg-warning-soft px-4 py-3 text-[0.9375rem]">
          {other} has signed in at this browser. Only {email} can go on here.
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

/** Calls `onBack` with what the person is now when they sign in, in whichever tab. @returns the address of somebody else who did instead */
function useOtherPerson({ id }: Account, onBack: (account: Account | null) => void): string | undefined {
  const queryClient = useQueryClient();
  const [other, setOther] = useState<string>();
  const enter = useEffectEvent(async (user: { id: string; email: string }) => {
    if (user.id !== id) return setOther(user.email);
    // The role may be another by now.
    onBack(await queryClient.fetchQuery({ ...accountQuery, staleTime: 0 }).catch(() => null));
  });
  useEffect(() => {
    const unsubscribing = watchSignIns((user) => void enter(user));
    return () => void unsubscribing.then((unsubscribe) => unsubscribe());
  }, []);
  return other;
}
