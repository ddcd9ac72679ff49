import { createFileRoute, redirect } from '@tanstack/react-router';
import { type Account, homeOf, requireAccount } from '../data/session.ts';
import { useFollowSession } from '../data/use-follow-session.ts';
import { titleHead } from '../lib/seo.ts';
import { Card } from '../ui/card.tsx';
import { SignOutButton } from './sign-out-button.tsx';

/** How often a waiting page asks whether the decision has been made. */
const ASK_AGAIN_MS = 10_000;

export const Route = createFileRoute('/_gate/_site/_portal/pending-approval')({
  beforeLoad: async (route) => {
    const account = await requireAccount(route);
    if (account.role !== null) throw redirect({ to: homeOf(account) });
    return { account };
  },
  head: ({ matches }) => titleHead(matches, 'Registration'),
  component: PendingApproval,
});

function PendingApproval() {
  const account = useFollowSession(Route.useRouteContext().account, { refetchInterval: ASK_AGAIN_MS });
  const { title, text } = wording(account);
  return (
    <div className="page-grid grid min-h-[75svh] place-items-center py-16">
      <Card className="grid w-full max-w-xl gap-6 p-8 sm:p-12">
        <div role="status" className="grid gap-4">
          <h1 className="text-display-3">{title}</h1>
          <p className="text-muted">{text}</p>
        </div>
        <dl className="rounded-md bg-sunken px-5 py-4">
          <dt className="font-mono text-label text-muted uppercase">Registered email</dt>
          <dd className="mt-1 [overflow-wrap:anywhere]">{account.email}</dd>
        </dl>
        <div>
          <SignOutButton account={account} />
        </div>
      </Card>
    </div>
  );
}

function wording({ registration }: Account): { title: string; text: string } {
  if (registration === 'declined') {
    return {
      title: 'Registration Declined',
      text: 'An admin has declined your registration, or taken your access back. If you think this is a mistake, write to us.',
    };
  }
  if (registration === 'pending') {
    return {
      title: 'Registration Pending',
      text: 'Your team registration is being reviewed. This takes 1-2 business days, and you will receive an email once it is decided.',
    };
  }
  return {
    title: 'No Access',
    text: 'This account has no role at the moment, so there is no dashboard to show. Write to us if you expected one.',
  };
}
