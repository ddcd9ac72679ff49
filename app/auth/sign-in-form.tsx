import { credentialsSchema, signIn } from '../data/accounts.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { tellFailure } from '../ui/tell-failure.ts';
import { toast } from '../ui/toast.ts';
import { useSchemaForm } from '../ui/use-schema-form.ts';
import { authFailure } from './auth-failure.ts';
import { AuthLayout } from './auth-layout.tsx';
import type { AuthScreen } from './route.tsx';
import { useEnter } from './use-enter.ts';

export function SignInForm({ onSwitch }: { onSwitch: (screen: AuthScreen) => void }) {
  const enter = useEnter();
  const { errors, sending, formProps } = useSchemaForm(credentialsSchema, async (credentials) => {
    try {
      await signIn(credentials);
    } catch (error) {
      return tellFailure(authFailure('Sign in failed', error), error);
    }
    toast.success('Welcome back!', 'You have been signed in successfully.');
    await enter();
  });

  return (
    <AuthLayout title="Sign in" description="Clients, team members and admins come in here.">
      <form {...formProps} className="grid gap-5">
        <Field label="Email" error={errors['email']}>
          <Input name="email" type="email" autoComplete="username" />
        </Field>
        <Field
          label="Password"
          error={errors['password']}
          aside={
            <Button variant="link" onClick={() => onSwitch('forgot-password')}>
              Forgot password?
            </Button>
          }
        >
          <Input name="password" type="password" autoComplete="current-password" minLength={6} />
        </Field>
        <Button type="submit" loading={sending}>
          Sign in
        </Button>
        <Button variant="secondary" onClick={() => onSwitch('magic-link')}>
          Email me a sign-in link
        </Button>
      </form>
      <p className="text-muted">
        No account yet?{' '}
        <Button variant="link" onClick={() => onSwitch('sign-up')}>
          Sign up
        </Button>
      </p>
    </AuthLayout>
  );
}
