import { useQuery } from '@tanstack/react-query';
import { createFileRoute, redirect } from '@tanstack/react-router';
import { useState } from 'react';
import { takeRedirectRefusal } from '../../ui/lib/redirect-refusal.ts';
import { titleHead } from '../../ui/lib/seo.ts';
import { NO_WAYS, readOfferedWays } from '../offered-ways.ts';
import { accountQuery, homeOf } from '../session.ts';
import type { AuthScreen } from './auth-screen.ts';
import { SecondFactorStep } from './lazy-second-factor-step.ts';
import { MailLinkForm } from './mail-link-form.tsx';
import { isOwnPath } from './own-path.ts';
import { SignInForm } from './sign-in-form.tsx';
import { SignUpForm } from './sign-up-form.tsx';

interface AuthSearch {
  screen?: 'sign-in' | 'sign-up';
  /** Path of this site to open after signing in. */
  back?: string;
  /** Back from a provider: the role of somebody who is new. */
  join?: 'client' | 'team';
}

/** Reads the search without zod, because this part of every route is in the first page's JavaScript. */
function readSearch({ screen, back, join }: Record<string, unknown>): AuthSearch {
  return {
    ...((screen === 'sign-in' || screen === 'sign-up') && { screen }),
    ...((join === 'client' || join === 'team') && { join }),
    ...(isOwnPath(back) && { back }),
  };
}

export const Route = createFileRoute('/_gate/_site/_portal/auth')({
  ssr: false,
  validateSearch: readSearch,
  beforeLoad: async ({ context: { queryClient }, search: { back, join } }) => {
    let account = await queryClient.fetchQuery(accountQuery);
    if (account && join) account = await (await import('../ways-to-sign-in.ts')).join(queryClient, account, join);
    if (account?.factorDue === 'show') return;
    if (account && back) throw redirect({ href: back, replace: true });
    if (account) throw redirect({ to: homeOf(account), replace: true });
  },
  loader: async ({ context }) => {
    if ((await readOfferedWays()) === null) return NO_WAYS;
    return context.queryClient.fetchQuery((await import('../ways-to-sign-in.ts')).waysQuery);
  },
  head: ({ matches }) => titleHead(matches, 'Sign in'),
  component: Auth,
});

function Auth() {
  const { screen: asked, back } = Route.useSearch();
  const ways = Route.useLoaderData();
  const [refusal] = useState(takeRedirectRefusal);
  const [screen, setScreen] = useState<AuthScreen>(asked ?? 'sign-in');
  // Kept here, so that it is not typed again on the next screen.
  const [address, setAddress] = useState('');
  const { data: account } = useQuery({ ...accountQuery, enabled: false });
  if (account?.factorDue === 'show') return <SecondFactorStep account={account} back={back} />;
  const onSwitch = (next: AuthScreen, typed: string) => {
    setAddress(typed);
    setScreen(next);
  };
  if (screen === 'sign-up') return <SignUpForm ways={ways} address={address} onSwitch={onSwitch} />;
  if (screen === 'forgot-password') {
    return (
      <MailLinkForm
        title="Forgot password?"
        description="We send you a link to choose a new one."
        submitLabel="Send the link"
        afterwards="Open the link in it to choose a new password. It is good for one hour."
        address={address}
        request={(code, to) => code.requestPasswordReset(to, back)}
        onSwitch={onSwitch}
      />
    );
  }
  if (screen === 'magic-link') {
    return (
      <MailLinkForm
        title="Sign in by email"
        description="We mail you a link that signs you in, no password needed."
        submitLabel="Send the sign-in link"
        afterwards="Open the link in it and you are signed in. It is good for one hour, once."
        address={address}
        request={(code, to) => code.requestMagicLink(to, back)}
        onSwitch={onSwitch}
      />
    );
  }
  return <SignInForm ways={ways} back={back} refusal={refusal} address={address} onSwitch={onSwitch} />;
}
