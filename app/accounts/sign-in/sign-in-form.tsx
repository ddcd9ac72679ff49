import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Input } from '../../ui/input.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { toast } from '../../ui/toast.ts';
import type { SignInMethods } from '../enabled-sign-in-methods.ts';
import { isDashboardRemembered } from '../session-hint.ts';
import { AuthLayout } from './auth-layout.tsx';
import type { AuthScreen } from './auth-screen.ts';
import { hasOtherMethods, OtherSignInMethods } from './lazy-other-sign-in-methods.ts';
import { PasskeyButton } from './passkey-button.tsx';
import { useAfterSignIn } from './use-after-sign-in.ts';
import { useAuthForm } from './use-auth-form.ts';

interface SignInFormProps {
  methods: SignInMethods;
  /** Path to open after signing in. It is the target of an emailed link, or the page where the session ended. */
  back: string | undefined;
  /** Error from a provider redirect or an emailed link. */
  redirectError: string | null;
  /** Email address entered on another screen. */
  address: string;
  onSwitch: (screen: AuthScreen, address: string) => void;
}

export function SignInForm({ methods, back, redirectError, address, onSwitch }: SignInFormProps) {
  const navigateAfterSignIn = useAfterSignIn(back);
  const { form, errorAt, isSending, typedAddress } = useAuthForm({
    getSchema: (code) => code.credentialsSchema,
    send: (code, credentials) => code.signIn(credentials),
    onSent: (isDone) => {
      if (isDone) toast.success('Welcome back!', 'You have been signed in successfully.');
      return navigateAfterSignIn();
    },
    failure: 'Sign in failed',
    errorField: 'password',
  });

  return (
    <AuthLayout title="Sign in" description="For clients, team members and admins.">
      {redirectError && <ErrorNote title="Sign in failed">{redirectError}</ErrorNote>}
      {back && !redirectError && (
        <p role="status" className="rounded-md bg-signal-soft px-4 py-3 text-[0.9375rem]">
          {back.startsWith('/oauth/consent') ? (
            <>Sign in to continue to the application that sent you here.</>
          ) : !isDashboardRemembered() ? (
            <>Sign in to open the page from our email.</>
          ) : (
            <>
              <strong className="font-semibold">You were signed out.</strong> Sign in again to continue where you left
              off.
            </>
          )}
        </p>
      )}
      <Form {...form} className="grid gap-5">
        <Field label="Email" error={errorAt('email')}>
          <Input name="email" type="email" autoComplete="username" defaultValue={address || undefined} />
        </Field>
        <PasswordField
          name="password"
          label="Password"
          error={errorAt('password')}
          aside={
            <Button variant="link" onClick={() => onSwitch('forgot-password', typedAddress())}>
              Forgot password?
            </Button>
          }
        />
        <Button type="submit" loading={isSending}>
          Sign in
        </Button>
        <Button variant="secondary" onClick={() => onSwitch('magic-link', typedAddress())}>
          Email me a sign-in link
        </Button>
        <PasskeyButton onSignedIn={navigateAfterSignIn} />
      </Form>
      {hasOtherMethods(methods) && <OtherSignInMethods methods={methods} newUserRole="client" back={back} />}
      <p className="text-muted">
        No account yet?{' '}
        <Button variant="link" onClick={() => onSwitch('sign-up', typedAddress())}>
          Sign up
        </Button>
      </p>
    </AuthLayout>
  );
}
