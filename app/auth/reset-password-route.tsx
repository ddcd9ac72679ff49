import { createFileRoute, Link } from '@tanstack/react-router';
import { changePassword, newPasswordSchema } from '../data/accounts.ts';
import { accountQuery } from '../data/session.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { tellFailure } from '../ui/tell-failure.ts';
import { toast } from '../ui/toast.ts';
import { useSchemaForm } from '../ui/use-schema-form.ts';
import { authFailure } from './auth-failure.ts';
import { AuthLayout } from './auth-layout.tsx';
import { useEnter } from './use-enter.ts';

/** Where the link of a recovery mail leads: its session arrives in the fragment and the client has already read it. */
export const Route = createFileRoute('/_gate/_site/_portal/auth/reset-password')({
  ssr: false,
  loader: ({ context }) => context.queryClient.fetchQuery(accountQuery),
  component: ResetPassword,
});

function ResetPassword() {
  const account = Route.useLoaderData();
  const enter = useEnter();
  const { errors, sending, formProps } = useSchemaForm(newPasswordSchema, async ({ password }) => {
    try {
      await changePassword(password);
    } catch (error) {
      return tellFailure(authFailure('The password was not changed', error), error);
    }
    toast.success('Password changed', 'You are signed in with your new password.');
    await enter();
  });

  if (!account) {
    return (
      <AuthLayout title="This link does not work" description="It has expired or was used already.">
        <p>
          Ask for a new one with 'Forgot password?' on the{' '}
          <Link to="/auth" className="text-accent underline underline-offset-4">
            sign-in page
          </Link>
          .
        </p>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title="Choose a new password" description={`For ${account.email}.`}>
      <form {...formProps} className="grid gap-5">
        <input type="hidden" name="username" autoComplete="username" value={account.email} />
        <Field
          label="New password"
          error={errors['password']}
          help="8 to 128 characters, with an uppercase letter, a lowercase letter and a number."
        >
          <Input name="password" type="password" autoComplete="new-password" minLength={6} />
        </Field>
        <Button type="submit" loading={sending}>
          Save the password
        </Button>
      </form>
    </AuthLayout>
  );
}
