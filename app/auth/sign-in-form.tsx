import { useForm } from 'react-hook-form';
import { signIn } from '../data/accounts/authentication.ts';
import type { WaysToSignIn } from '../data/accounts/ways-to-sign-in.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { tellFirstError } from '../ui/first-error.ts';
import { Form } from '../ui/form.tsx';
import { Input } from '../ui/input.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { RefusalNote } from '../ui/refusal-note.tsx';
import { useMutationWithToasts } from '../ui/use-mutation-with-toasts.ts';
import { authFailure, refusalLine } from './auth-failure.ts';
import { AuthLayout } from './auth-layout.tsx';
import type { AuthScreen } from './auth-screen.ts';
import { lazyRules, preloadRules } from './lazy-rules.ts';
import { OtherSignInMethods } from './other-sign-in-methods.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { useAfterSignIn } from './use-after-sign-in.ts';

const RULES = lazyRules('email', ({ credentialsSchema }) => credentialsSchema);

interface SignInFormProps {
  ways: WaysToSignIn;
  /** Path where the person was when their session ended, and goes on afterwards. */
  back: string | undefined;
  /** Reason why the way back from a provider, or the link of a mail, did not sign in. */
  refusal: string | null;
  onSwitch: (screen: AuthScreen) => void;
}

export function SignInForm({ ways, back, refusal, onSwitch }: SignInFormProps) {
  const { register, handleSubmit, formState, setFocus } = useForm({ resolver: RULES });
  const { errors } = formState;
  const enter = useAfterSignIn(back);
  const entering = useMutationWithToasts(
    { mutationFn: signIn, onSuccess: enter, onError: () => setFocus('password') },
    {
      success: (isDone) => (isDone ? ['Welcome back!', 'You have been signed in successfully.'] : undefined),
      failure: (error) => authFailure('Sign in failed', error),
    },
  );

  return (
    <AuthLayout title="Sign in" description="For clients, team members and admins.">
      {refusal && <RefusalNote title="Sign in failed">{refusal}</RefusalNote>}
      {back && !refusal && (
        <p role="status" className="rounded-md bg-signal-soft px-4 py-3 text-[0.9375rem]">
          {back.startsWith('/oauth/consent') ? (
            <>Sign in to go on to the application that sent you here.</>
          ) : (
            <>
              <strong className="font-semibold">You were signed out.</strong> Sign in again to go on where you were.
            </>
          )}
        </p>
      )}
      <Form
        onFocus={preloadRules}
        onSubmit={handleSubmit((credentials) => entering.mutate(credentials), tellFirstError)}
        className="grid gap-5"
      >
        <Field label="Email" error={errors.email?.message}>
          <Input type="email" autoComplete="username" {...register('email', { onChange: entering.reset })} />
        </Field>
        <PasswordField
          label="Password"
          error={errors.password?.message ?? refusalLine(entering.error)}
          aside={
            <Button variant="link" onClick={() => onSwitch('forgot-password')}>
              Forgot password?
            </Button>
          }
          {...register('password', { onChange: entering.reset })}
        />
        <Button type="submit" loading={entering.isPending}>
          Sign in
        </Button>
        <Button variant="secondary" onClick={() => onSwitch('magic-link')}>
          Email me a sign-in link
        </Button>
        <PasskeyButton onEnter={enter} />
      </Form>
      <OtherSignInMethods ways={ways} joining="client" back={back} />
      <p className="text-muted">
        No account yet?{' '}
        <Button variant="link" onClick={() => onSwitch('sign-up')}>
          Sign up
        </Button>
      </p>
    </AuthLayout>
  );
}
