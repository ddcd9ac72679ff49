import { useState } from 'react';
import { errorCode } from '../../api/error-code.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Input } from '../../ui/input.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { PrivacyNote } from '../../ui/privacy-note.tsx';
import { toast } from '../../ui/toast.ts';
import type { RoleChoice } from '../credentials.ts';
import type { SignInMethods } from '../enabled-sign-in-methods.ts';
import { AuthLayout } from './auth-layout.tsx';
import type { AuthScreen } from './auth-screen.ts';
import { CheckYourMail } from './check-your-mail.tsx';
import { hasOtherMethods, OtherSignInMethods } from './lazy-other-sign-in-methods.ts';
import { RoleChoiceField } from './role-choice-field.tsx';
import { useAfterSignIn } from './use-after-sign-in.ts';
import { useAuthForm } from './use-auth-form.ts';

interface SignUpFormProps {
  methods: SignInMethods;
  /** Email address entered on another screen. */
  address: string;
  onSwitch: (screen: AuthScreen, address: string) => void;
}

export function SignUpForm({ methods, address, onSwitch }: SignUpFormProps) {
  const [role, setRole] = useState<RoleChoice>('client');
  const [mailedTo, setMailedTo] = useState<string | null>(null);
  const navigateAfterSignIn = useAfterSignIn();
  const { form, errorAt, submitError, isSending, typedAddress } = useAuthForm({
    getSchema: (code) => code.signUpSchema,
    send: (code, registration) => code.signUp(registration),
    onSent: ({ signedIn }, registration) => {
      toast.success(
        'Account created!',
        registration.role === 'team'
          ? 'Registration submitted! Awaiting admin approval.'
          : 'Your account has been created successfully.',
      );
      return signedIn ? navigateAfterSignIn() : setMailedTo(registration.email);
    },
    failure: 'Sign up failed',
    errorField: 'email',
  });

  if (mailedTo) {
    return (
      <CheckYourMail address={mailedTo} onBack={() => onSwitch('sign-in', mailedTo)}>
        Open the link to confirm your address, then sign in.
      </CheckYourMail>
    );
  }
  return (
    <AuthLayout title="Create an account" description="Follow your projects, or join the team.">
      <Form {...form} className="grid gap-5">
        <Field label="Email" error={errorAt('email')}>
          <Input name="email" type="email" autoComplete="username" defaultValue={address || undefined} />
        </Field>
        <PasswordField name="password" label="Password" isNewPassword error={errorAt('password')} />
        <RoleChoiceField role={role} onChoose={setRole} />
        <PrivacyNote>We store your address and role to manage your access.</PrivacyNote>
        <Button type="submit" loading={isSending}>
          Sign up
        </Button>
      </Form>
      {isExistingAccountError(submitError) && (
        <p role="status" className="rounded-md bg-signal-soft px-4 py-3 text-[0.9375rem]">
          An account with this address already exists.{' '}
          <Button variant="link" onClick={() => onSwitch('sign-in', typedAddress())}>
            Sign in instead
          </Button>
          , or{' '}
          <Button variant="link" onClick={() => onSwitch('forgot-password', typedAddress())}>
            choose a new password
          </Button>
          .
        </p>
      )}
      {hasOtherMethods(methods) && <OtherSignInMethods methods={methods} newUserRole={role} />}
      <p className="text-muted">
        Already have an account?{' '}
        <Button variant="link" onClick={() => onSwitch('sign-in', typedAddress())}>
          Sign in
        </Button>
      </p>
    </AuthLayout>
  );
}

/** True if the address already has an account, including a new account whose role could not be assigned. */
function isExistingAccountError(error: unknown): boolean {
  return error instanceof Error && (error.name === 'PostgrestError' || errorCode(error) === 'user_already_exists');
}
