import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { useForm } from 'react-hook-form';
import { changePassword } from '../data/accounts/authentication.ts';
import { accountQuery } from '../data/accounts/session.ts';
import { titleHead } from '../lib/seo.ts';
import { Button } from '../ui/button.tsx';
import { Callout } from '../ui/callout.tsx';
import { tellFirstError } from '../ui/first-error.ts';
import { Form } from '../ui/form.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { useMutationWithToasts } from '../ui/use-mutation-with-toasts.ts';
import { authFailure, refusalLine } from './auth-failure.ts';
import { AuthLayout } from './auth-layout.tsx';
import { lazyRules, preloadRules } from './lazy-rules.ts';
import { SecondFactorStep } from './lazy-second-factor-step.ts';
import { useAfterSignIn } from './use-after-sign-in.ts';

const RULES = lazyRules('password', ({ newPasswordSchema }) => newPasswordSchema);

/** Page of the link in a recovery mail: its session arrives in the fragment and the client has already read it. */
export const Route = createFileRoute('/_gate/_site/_portal/auth/reset-password')({
  ssr: false,
  loader: ({ context }) => context.queryClient.fetchQuery(accountQuery),
  head: ({ matches }) => titleHead(matches, 'Choose a new password'),
  component: ResetPassword,
});

function ResetPassword() {
  const loaded = Route.useLoaderData();
  const { data: account = loaded } = useQuery({ ...accountQuery, enabled: false });
  const enter = useAfterSignIn();
  const { register, handleSubmit, formState, setFocus } = useForm({ resolver: RULES });
  const changing = useMutationWithToasts(
    { mutationFn: changePassword, onSuccess: enter, onError: () => setFocus('password') },
    {
      success: ['Password changed', 'You are signed in with your new password.'],
      failure: (error) => authFailure('The password was not changed', error),
    },
  );

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
  // The link stands for the password; a change of it wants the second factor too.
  if (account.factorDue === 'show') return <SecondFactorStep account={account} stays />;
  return (
    <AuthLayout title="Choose a new password" description={`For ${account.email}.`}>
      {account.setupDropped && (
        <Callout kind="important">
          <p>{account.setupDropped}</p>
        </Callout>
      )}
      <Form
        onFocus={preloadRules}
        onSubmit={handleSubmit((passwords) => changing.mutate(passwords), tellFirstError)}
        className="grid gap-5"
      >
        <input type="hidden" name="username" autoComplete="username" value={account.email} />
        <PasswordField
          label="New password"
          choosesNew
          error={formState.errors.password?.message ?? refusalLine(changing.error)}
          {...register('password', { onChange: changing.reset })}
        />
        <Button type="submit" loading={changing.isPending}>
          Save the password
        </Button>
      </Form>
    </AuthLayout>
  );
}
