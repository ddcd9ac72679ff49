import { createFileRoute, redirect } from '@tanstack/react-router';
import { useState } from 'react';
import { requestMagicLink, requestPasswordReset } from '../data/accounts.ts';
import { accountQuery, homeOf } from '../data/session.ts';
import { titleHead } from '../lib/seo.ts';
import { MailLinkForm } from './mail-link-form.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { SignUpForm } from './sign-up-form.tsx';

export type AuthScreen = 'sign-in' | 'sign-up' | 'forgot-password' | 'magic-link';

interface AuthSearch {
  screen?: 'sign-in' | 'sign-up';
  /** Where the person was when their session ended: a path of this site. */
  back?: string;
}

/** Without zod, because this part of every route is in the first page's JavaScript. */
function readSearch({ screen, back }: Record<string, unknown>): AuthSearch {
  return {
    ...((screen === 'sign-in' || screen === 'sign-up') && { screen }),
    ...(typeof back === 'string' && /^\/(?![/\\])/.test(back) && { back }),
  };
}

export const Route = createFileRoute('/_gate/_site/_portal/auth')({
  ssr: false,
  validateSearch: readSearch,
  head: ({ matches }) => titleHead(matches, 'Sign in'),
  beforeLoad: async ({ context, search: { back } }) => {
    const account = await context.queryClient.fetchQuery(accountQuery);
    if (account && back) throw redirect({ href: back, replace: true });
    if (account) throw redirect({ to: homeOf(account), replace: true });
  },
  component: Auth,
});

function Auth() {
  const { screen: asked, back } = Route.useSearch();
  const [screen, setScreen] = useState<AuthScreen>(asked ?? 'sign-in');
  if (screen === 'sign-up') return <SignUpForm onSwitch={setScreen} />;
  if (screen === 'forgot-password') {
    return (
      <MailLinkForm
        title="Forgot password?"
        description="We mail you a link with which you choose a new one."
        submitLabel="Send the link"
        afterwards="Open the link in it to choose a new password. It is good for one hour."
        request={requestPasswordReset}
        onBack={() => setScreen('sign-in')}
      />
    );
  }
  if (screen === 'magic-link') {
    return (
      <MailLinkForm
        title="Sign in by e-mail"
        description="We mail you a link that signs you in, no password needed."
        submitLabel="Send the sign-in link"
        afterwards="Open the link in it and you are signed in. It is good for one hour, once."
        request={requestMagicLink}
        onBack={() => setScreen('sign-in')}
      />
    );
  }
  return <SignInForm back={back} onSwitch={setScreen} />;
}
