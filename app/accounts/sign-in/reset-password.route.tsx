import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { Form } from '../../ui/form.tsx';
import { titleHead } from '../../ui/lib/seo.ts';
import { PasswordField } from '../../ui/password-field.tsx';
import { toast } from '../../ui/toast.ts';
import { accountQuery } from '../session.ts';
import { AuthLayout } from './auth-layout.tsx';
import { isSitePath } from './is-site-path.ts';
import { SecondFactorStep } from './lazy-second-factor-step.ts';
import { useAfterSignIn } from './use-after-sign-in.ts';
import { useAuthForm } from './use-auth-form.ts';

/** Landing page of recovery emails. The auth client has already read the session from the URL fragment. */
export const Route = createFileRoute('/_gate/_site/_portal/auth/reset-password')({
  ssr: false,
  validateSearch: ({ back }: Record<string, unknown>): { back?: string } => (isSitePath(back) ? { back } : {}),
  loader: ({ context }) => context.queryClient.fetchQuery(accountQuery),
  head: ({ matches }) => titleHead(matches, 'Choose a new password'),
  component: ResetPassword,
});

function ResetPassword() {
  const loadedAccount = Route.useLoaderData();
  const { data: account = loadedAccount } = useQuery({ ...accountQuery, enabled: false });
  const navigateAfterSignIn = useAfterSignIn(Route.useSearch().back);
  const { form, errorAt, isSending } = useAuthForm({
    getSchema: (code) => code.newPasswordSchema,
    send: (code, passwords) => code.changePassword(passwords),
    onSent: () => {
      toast.success('Password changed', 'You are signed in with your new password.');
      return navigateAfterSignIn();
    },
    failure: 'Could not change the password',
    errorField: 'password',
  });

  if (!account) {
    return (
      <AuthLayout title="This link does not work" description="It has expired or has already been used.">
        <p>Request a new link with 'Forgot password?' on the sign-in page.</p>
        <ButtonLink to="/auth">Open the sign-in page</ButtonLink>
      </AuthLayout>
    );
  }
  // The link replaces only the current password. A password change still requires the second factor.
  if (account.factorDue === 'verify') return <SecondFactorStep account={account} staysOnPage />;
  return (
    <AuthLayout title="Choose a new password" description={`For ${account.email}.`}>
      {account.removedCredentials && (
        <Callout kind="important">
          <p>{account.removedCredentials}</p>
        </Callout>
      )}
      <Form {...form} className="grid gap-5">
        <input type="hidden" name="username" autoComplete="username" value={account.email} />
        <PasswordField name="password" label="New password" isNewPassword error={errorAt('password')} />
        <Button type="submit" loading={isSending}>
          Save password
        </Button>
      </Form>
    </AuthLayout>
  );
}
