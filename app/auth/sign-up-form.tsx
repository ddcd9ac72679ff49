import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { hasAccountDespite, signUp } from '../data/accounts/authentication.ts';
import type { WaysToSignIn } from '../data/accounts/ways-to-sign-in.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { tellFirstError } from '../ui/first-error.ts';
import { Form } from '../ui/form.tsx';
import { Input } from '../ui/input.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { PrivacyNote } from '../ui/privacy-note.tsx';
import { useMutationWithToasts } from '../ui/use-mutation-with-toasts.ts';
import { authFailure, refusalLine } from './auth-failure.ts';
import { AuthLayout } from './auth-layout.tsx';
import type { AuthScreen } from './auth-screen.ts';
import { CheckYourMail } from './check-your-mail.tsx';
import { lazyRules, preloadRules } from './lazy-rules.ts';
import { OtherSignInMethods } from './other-sign-in-methods.tsx';
import { RoleChoiceField } from './role-choice-field.tsx';
import { useAfterSignIn } from './use-after-sign-in.ts';

const RULES = lazyRules('email', ({ signUpSchema }) => signUpSchema);

interface SignUpFormProps {
  ways: WaysToSignIn;
  onSwitch: (screen: AuthScreen) => void;
}

export function SignUpForm({ ways, onSwitch }: SignUpFormProps) {
  const { register, handleSubmit, control, formState, setFocus } = useForm({
    resolver: RULES,
    defaultValues: { role: 'client' },
  });
  const { errors } = formState;
  const role = useWatch({ control, name: 'role' });
  const [mailedTo, setMailedTo] = useState<string | null>(null);
  const enter = useAfterSignIn();
  const registering = useMutationWithToasts(
    {
      mutationFn: signUp,
      onSuccess: ({ signedIn }, { email }) => (signedIn ? enter() : setMailedTo(email)),
      onError: () => setFocus('email'),
    },
    {
      success: (_result, registration) => [
        'Account created!',
        registration.role === 'team'
          ? 'Registration submitted! Awaiting admin approval.'
          : 'Your account has been created successfully.',
      ],
      failure: (error) => authFailure('Sign up failed', error),
    },
  );

  if (mailedTo) {
    return (
      <CheckYourMail address={mailedTo} onBack={() => onSwitch('sign-in')}>
        Open the link in it to confirm your address, then sign in.
      </CheckYourMail>
    );
  }
  return (
    <AuthLayout title="Create an account" description="Follow your projects, or join the team.">
      <Form
        onFocus={preloadRules}
        onSubmit={handleSubmit((registration) => registering.mutate(registration), tellFirstError)}
        className="grid gap-5"
      >
        <Field label="Email" error={errors.email?.message ?? refusalLine(registering.error)}>
          <Input type="email" autoComplete="username" {...register('email', { onChange: registering.reset })} />
        </Field>
        <PasswordField label="Password" choosesNew error={errors.password?.message} {...register('password')} />
        <RoleChoiceField chosen={role} {...register('role')} />
        <PrivacyNote>We keep your address and your role to let you in.</PrivacyNote>
        <Button type="submit" loading={registering.isPending}>
          Sign up
        </Button>
      </Form>
      {registering.error && hasAccountDespite(registering.error) && (
        <p role="status" className="rounded-md bg-signal-soft px-4 py-3 text-[0.9375rem]">
          There is an account for this address.{' '}
          <Button variant="link" onClick={() => onSwitch('sign-in')}>
            Sign in to go on
          </Button>
          , or{' '}
          <Button variant="link" onClick={() => onSwitch('forgot-password')}>
            choose a new password
          </Button>
          .
        </p>
      )}
      <OtherSignInMethods ways={ways} joining={role} />
      <p className="text-muted">
        Already have an account?{' '}
        <Button variant="link" onClick={() => onSwitch('sign-in')}>
          Sign in
        </Button>
      </p>
    </AuthLayout>
  );
}
