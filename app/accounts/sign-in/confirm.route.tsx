import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { titleHead } from '../../ui/lib/seo.ts';
import { isLinkType, type LinkType, linkUrl } from '../email-link.ts';
import { AuthLayout } from './auth-layout.tsx';

interface ConfirmSearch {
  token_hash?: string;
  type?: string;
  redirect_to?: string;
}

/**
 * Landing page of links in account emails. Mail scanners follow links, so loading the page does not use up the link.
 * The button opens the link of the authentication service.
 */
export const Route = createFileRoute('/_gate/_site/_portal/auth/confirm')({
  ssr: false,
  validateSearch: ({ token_hash, type, redirect_to }: Record<string, unknown>): ConfirmSearch => ({
    ...(token_hash !== undefined && { token_hash: String(token_hash) }),
    ...(typeof type === 'string' && { type }),
    ...(typeof redirect_to === 'string' && redirect_to !== '' && { redirect_to }),
  }),
  head: ({ matches }) => {
    const { meta, ...head } = titleHead(matches, 'Open your link');
    // The URL contains a secret.
    return { ...head, meta: [...meta, { name: 'referrer', content: 'no-referrer' }] };
  },
  component: OpenMailedLink,
});

const TEXTS = {
  signup: {
    title: 'Confirm your address',
    text: 'Confirm that this email address is yours. You will then be signed in.',
    button: 'Confirm my address',
  },
  invite: {
    title: 'You are invited',
    text: 'Accept the invitation to sign in.',
    button: 'Accept the invitation',
  },
  magiclink: { title: 'Sign in', text: 'Use the link from your email to sign in here.', button: 'Sign in' },
  recovery: {
    title: 'Choose a new password',
    text: 'Continue to choose a new password on the next page.',
    button: 'Continue',
  },
  email_change: {
    title: 'Confirm your new email address',
    text: 'Confirm that you want to change the email address of your account.',
    button: 'Confirm change',
  },
} satisfies Record<LinkType, object>;

function OpenMailedLink() {
  const { token_hash: token, type, redirect_to: redirectTo } = Route.useSearch();
  const [isOpening, setOpening] = useState(false);
  if (!token || !isLinkType(type)) {
    return (
      <AuthLayout
        title="This link is incomplete"
        description="Open the link in the email again, or enter the code from the email."
      >
        <p>You can also ask for a new link on the sign-in page.</p>
        <ButtonLink to="/auth">Open the sign-in page</ButtonLink>
      </AuthLayout>
    );
  }
  const { title, text, button } = TEXTS[type];
  const open = () => {
    setOpening(true);
    window.location.assign(linkUrl(token, type, redirectTo));
  };
  return (
    <AuthLayout title={title} description={text}>
      <Button size="lg" loading={isOpening} onClick={open}>
        {button}
      </Button>
    </AuthLayout>
  );
}
