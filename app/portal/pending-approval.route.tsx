import { createFileRoute, redirect } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Account, homeOf, requireAccount } from '../accounts/session.ts';
import { useSessionSync } from '../accounts/use-session-sync.ts';
import { Callout } from '../ui/callout.tsx';
import { Card } from '../ui/card.tsx';
import { titleHead } from '../ui/lib/seo.ts';
import { SignOutButton } from './sign-out-button.tsx';

/** Polling interval of a pending page, in milliseconds. */
const POLL_MS = 10_000;

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
  const account = useSessionSync(Route.useRouteContext().account, { refetchInterval: POLL_MS });
  const { title, text } = statusText(account);
  return (
    <div className="page-grid grid min-h-[75svh] place-items-center py-16">
      <Card className="grid w-full max-w-xl gap-6 p-8 sm:p-12">
        <div role="status" className="grid gap-4">
          <h1 className="text-display-3">{title}</h1>
          <p className="text-muted">{text}</p>
        </div>
        {account.setupDropped && (
          <Callout kind="important">
            <p>{account.setupDropped}</p>
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

/** Progress of the registration. */
function Steps({ since }: { since: string }) {
  return (
    <ol className="grid">
      <Step icon={<Check aria-hidden="true" className="size-4" />} tone="border-accent bg-accent text-on-accent">
        <strong className="font-semibold">You registered</strong>
        <span className="sr-only">, done</span>
        <span className="block text-sm text-muted">
          On <time dateTime={since}>{date.format(new Date(since))}</time>
        </span>
      </Step>
      <Step isCurrent icon="2" tone="border-accent text-accent">
        <strong className="font-semibold">An admin reviews it</strong>
        <span className="block text-sm text-muted">This page updates automatically.</span>
      </Step>
      <Step icon="3" tone="border-line-strong text-muted">
        <strong className="font-semibold">Your team dashboard opens</strong>
        <span className="block text-sm text-muted">We also email you.</span>
      </Step>
    </ol>
  );
}

interface StepProps {
  /** Icon in the circle. */
  icon: ReactNode;
  /** Colour classes of the circle. */
  tone: string;
  isCurrent?: boolean;
  children: ReactNode;
}

function Step({ icon, tone, isCurrent, children }: StepProps) {
  return (
    <li aria-current={isCurrent ? 'step' : undefined} className="group relative flex gap-4 pb-5 last:pb-0">
      <span
        aria-hidden="true"
        className="absolute top-8 bottom-0 left-[0.96875rem] w-px bg-line-strong group-last:hidden"
      />
      <span
        aria-hidden="true"
        className={clsx('grid size-8 shrink-0 place-items-center rounded-full border font-mono text-sm', tone)}
      >
        {icon}
      </span>
      <p className="pt-0.5">{children}</p>
    </li>
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
      text: 'Your team registration is being reviewed. This takes 1-2 business days, and you will receive an email once it is decided.',
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
    text: 'This account has no role, so there is no dashboard to show. Contact us if you expected one.',
  };
}
