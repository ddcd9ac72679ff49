import { useQuery } from '@tanstack/react-query';
import { createFileRoute, redirect } from '@tanstack/react-router';
import { useState } from 'react';
import { consumeRedirectError } from '../../ui/lib/redirect-error.ts';
import { titleHead } from '../../ui/lib/seo.ts';
import { NO_METHODS, readEnabledSignInMethods } from '../enabled-sign-in-methods.ts';
import { accountQuery, getStartPage } from '../session.ts';
import type { AuthScreen } from './auth-screen.ts';
import { isSitePath } from './is-site-path.ts';
import { SecondFactorStep } from './lazy-second-factor-step.ts';
import { MailLinkForm } from './mail-link-form.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { SignUpForm } from './sign-up-form.tsx';

interface AuthSearch {
  screen?: 'sign-in' | 'sign-up';
  /** Path to open after signing in. */
  back?: string;
  /** Role for a new user returning from a provider. */
  join?: 'client' | 'team';
}

/** Parses the search without zod, because this code is in the initial bundle. */
function readSearch({ screen, back, join }: Record<string, unknown>): AuthSearch {
  return {
    ...((screen === 'sign-in' || screen === 'sign-up') && { screen }),
    ...((join === 'client' || join === 'team') && { join }),
    ...(isSitePath(back) && { back }),
  };
}

export const Route = createFileRoute('/_gate/_site/_portal/auth')({
  ssr: false,
  validateSearch: readSearch,
  beforeLoad: async ({ context: { queryClient }, search: { back, join } }) => {
    let account = await queryClient.fetchQuery(accountQuery);
    if (account && join) account = await (await import('../sign-in-methods.ts')).assignRole(queryClient, account, join);
    if (account?.factorDue === 'verify') return;
    if (account && back) throw redirect({ href: back, replace: true });
    if (account) throw redirect({ to: getStartPage(account), replace: true });
  },
  loader: async ({ context }) => {
    if ((await readEnabledSignInMethods()) === null) return NO_METHODS;
    return context.queryClient.fetchQuery((await import('../sign-in-methods.ts')).signInMethodsQuery);
  },
  head: ({ matches }) => titleHead(matches, 'Sign in'),
  component: Auth,
});

function Auth() {
  const { screen: initialScreen, back } = Route.useSearch();
  const methods = Route.useLoaderData();
  const [redirectError] = useState(consumeRedirectError);
  const [screen, setScreen] = useState<AuthScreen>(initialScreen ?? 'sign-in');
  // Kept in this component, so that the next screen starts with the entered address.
  const [address, setAddress] = useState('');
  const { data: account } = useQuery({ ...accountQuery, enabled: false });
  if (account?.factorDue === 'verify') return <SecondFactorStep account={account} back={back} />;
  const onSwitch = (next: AuthScreen, typedAddress: string) => {
    setAddress(typedAddress);
    setScreen(next);
  };
  if (screen === 'sign-up') return <SignUpForm methods={methods} address={address} onSwitch={onSwitch} />;
  if (screen === 'forgot-password') {
    return (
      <MailLinkForm
        title="Forgot password?"
        description="We email you a link to choose a new password."
        submitLabel="Send link"
        sentText="Open the link to choose a new password. It is valid for one hour."
        address={address}
        request={(code, email) => code.requestPasswordReset(email, back)}
        onSwitch={onSwitch}
      />
    );
  }
  if (screen === 'magic-link') {
    return (
      <MailLinkForm
        title="Sign in by email"
        description="We email you a link that signs you in without a password."
        submitLabel="Send sign-in link"
        sentText="Open the link to sign in. It is valid for one hour and works once."
        address={address}
        request={(code, email) => code.requestMagicLink(email, back)}
        onSwitch={onSwitch}
      />
    );
  }
  return (
    <SignInForm methods={methods} back={back} redirectError={redirectError} address={address} onSwitch={onSwitch} />
  );
}
