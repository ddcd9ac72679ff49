import { createFileRoute, redirect } from '@tanstack/react-router';
import { type Account, getStartPage, requireAccount } from '../accounts/session.ts';
import { useSessionSync } from '../accounts/use-session-sync.ts';
import { Callout } from '../ui/callout.tsx';
import { Card } from '../ui/card.tsx';
import { titleHead } from '../ui/lib/seo.ts';
import { Step } from '../ui/steps.tsx';
import { SignOutButton } from './sign-out-button.tsx';

/** Polling interval of a pending page, in milliseconds. */
const POLL_MS = 10_000;

export const Route = createFileRoute('/_gate/_site/_portal/pending-approval')({
  beforeLoad: async (route) => {
    const account = await requireAccount(route);
    if (account.role !== null) throw redirect({ to: getStartPage(account) });
    return { account };
  },
  head: ({ matches }) => titleHead(matches, 'Registration'),
  component: PendingApproval,
});

function PendingApproval() {
  const account = useSessionSync(Route.useRouteContext().account, { refetchInterval: POLL_MS });
  const { title, text } = statusText(account);
  return (
    <div className="page-grid grid min-h-[75svh] place-items-center py-16">
      <Card className="grid w-full max-w-xl gap-6 p-8 sm:p-12">
        <div role="status" className="grid gap-4">
          <h1 className="text-display-3">{title}</h1>
          <p className="text-muted">{text}</p>
        </div>
        {account.removedCredentials && (
          <Callout kind="important">
            <p>{account.removedCredentials}</p>
          </Callout>
        )}
        {account.registration === 'pending' && <Steps since={account.createdAt} />}
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

const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' });

function Steps({ since }: { since: string }) {
  return (
    <ol className="grid">
      <Step number={1} isDone>
        <p>
          <strong className="font-semibold">You registered</strong>
          <span className="sr-only">, done</span>
          <span className="block text-sm text-muted">
            On <time dateTime={since}>{date.format(new Date(since))}</time>
          </span>
        </p>
      </Step>
      <Step number={2} isCurrent>
        <p>
          <strong className="font-semibold">An admin reviews your registration</strong>
          <span className="block text-sm text-muted">This page updates automatically.</span>
        </p>
      </Step>
      <Step number={3}>
        <p>
          <strong className="font-semibold">Your team dashboard opens</strong>
          <span className="block text-sm text-muted">We also email you.</span>
        </p>
      </Step>
    </ol>
  );
}

function statusText({ registration }: Account): { title: string; text: string } {
  if (registration === 'declined') {
    return {
      title: 'Registration Declined',
      text: 'An admin has declined your registration or removed your access. If you think this is a mistake, contact us.',
    };
  }
  if (registration === 'pending') {
    return {
      title: 'Registration Pending',
      text: 'Your team registration is being reviewed. This takes 1-2 business days, and you will receive an email with the decision.',
    };
  }
  if (registration === 'unknown') {
    return {
      title: 'Your role could not be loaded',
      text: 'The server did not respond. This page retries automatically and then opens your dashboard.',
    };
  }
  return {
    title: 'No Access',
    text: 'This account has no role, so there is no dashboard to show. Contact us if you expected to have access.',
  };
}
