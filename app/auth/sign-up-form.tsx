import { useState } from 'react';
import { credentialsSchema, type RoleChoice, signUp } from '../data/accounts.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { tellFailure } from '../ui/tell-failure.ts';
import { toast } from '../ui/toast.ts';
import { useSchemaForm } from '../ui/use-schema-form.ts';
import { authFailure } from './auth-failure.ts';
import { AuthLayout } from './auth-layout.tsx';
import { CheckYourMail } from './check-your-mail.tsx';
import { RoleChoiceField } from './role-choice-field.tsx';
import type { AuthScreen } from './route.tsx';
import { useEnter } from './use-enter.ts';

export function SignUpForm({ onSwitch }: { onSwitch: (screen: AuthScreen) => void }) {
  const enter = useEnter();
  const [role, setRole] = useState<RoleChoice>('client');
  const [mailedTo, setMailedTo] = useState<string | null>(null);
  const { errors, sending, formProps } = useSchemaForm(credentialsSchema, async (credentials) => {
    let signedIn: boolean;
    try {
      ({ signedIn } = await signUp(credentials, role));
    } catch (error) {
      return tellFailure(authFailure('Sign up failed', error), error);
    }
    toast.success(
      'Account created!',
      role === 'team'
        ? 'Registration submitted! Awaiting admin approval.'
        : 'Your account has been created successfully.',
    );
    if (signedIn) await enter();
    else setMailedTo(credentials.email);
  });

  if (mailedTo) {
    return (
      <CheckYourMail address={mailedTo} onBack={() => onSwitch('sign-in')}>
        Open the link in it to confirm your address, then sign in.
      </CheckYourMail>
    );
  }
  return (
    <AuthLayout title="Create an account" description="Follow your projects, or join the team.">
      <form {...formProps} className="grid gap-5">
        <Field label="Email" error={errors['email']}>
          <Input name="email" type="email" autoComplete="username" />
        </Field>
        <Field
          label="Password"
          error={errors['password']}
          help="8 to 128 characters, with an uppercase letter, a lowercase letter and a number."
        >
          <Input name="password" type="password" autoComplete="new-password" minLength={6} />
        </Field>
        <RoleChoiceField value={role} onChange={setRole} />
        <Button type="submit" loading={sending}>
          Sign up
        </Button>
      </form>
      <p className="text-muted">
        Already have an account?{' '}
        <Button variant="link" onClick={() => onSwitch('sign-in')}>
          Sign in
        </Button>
      </p>
    </AuthLayout>
  );
}
