import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { ArrowLeft, Printer } from 'lucide-react';
import type { Account } from '../../accounts/account.ts';
import { requireDashboard } from '../../accounts/session.ts';
import { useSessionSync } from '../../accounts/use-session-sync.ts';
import { Logo } from '../../settings/brand/logo.tsx';
import { siteSettingsQuery } from '../../settings/site-settings.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { titleHead } from '../../ui/lib/seo.ts';
import { usePrintTheme } from '../../ui/use-print-theme.ts';
import { ReportLoading } from './client-loading.tsx';

const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' });
const dateAndTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' });

/** Printable report on the account, or on a client's week or month. Screen and print look the same. */
export const Route = createFileRoute('/_gate/_site/_portal/client-dashboard/report')({
  beforeLoad: async (route) => ({ account: await requireDashboard(route, 'client') }),
  loader: async ({ context }) => {
    await context.queryClient.ensureQueryData(siteSettingsQuery);
    return { generatedAt: new Date() };
  },
  head: ({ matches }) => titleHead(matches, 'Account report'),
  component: Report,
});

/** Lazy component for members of a client. Other users do not render it, so they make no request. */
const ClientReport = lazy(() => import('./client-report.tsx'), { Loading: ReportLoading });

function Report() {
  usePrintTheme();
  const account = useSessionSync(Route.useRouteContext().account);
  const { generatedAt } = Route.useLoaderData();
  const { data: settings } = useSuspenseQuery(siteSettingsQuery);
  const entries = <AccountEntries account={account} siteName={settings.site_name} />;
  const sheet = (content: React.ReactNode) => (
    <article className="grid w-full max-w-3xl gap-10 rounded-lg border border-line bg-surface p-6 sm:p-14 print:gap-7 print:rounded-none print:border-0 print:p-0">
      <header className="flex flex-wrap items-center justify-between gap-4 border-b border-line pb-6">
        <Logo name={settings.site_name} />
        <p className="font-mono text-label text-muted">
          Generated <time dateTime={generatedAt.toISOString()}>{dateAndTime.format(generatedAt)}</time>
        </p>
      </header>
      {content}
      <footer className="border-t border-line pt-6 text-sm text-muted">
        Questions about this report: {settings.contact_email}
      </footer>
    </article>
  );
  return (
    <div className="page-grid grid justify-items-center gap-6 pt-6 pb-12 sm:pt-12 print:w-full print:p-0">
      <div className="flex w-full max-w-3xl flex-wrap justify-between gap-3 print:hidden">
        <ButtonLink to="/client-dashboard" variant="link">
          <ArrowLeft aria-hidden="true" />
          Back to the dashboard
        </ButtonLink>
        <Button onClick={() => window.print()}>
          <Printer aria-hidden="true" />
          Print
        </Button>
      </div>
      <div className="contents">
        {account.hasClient ? <ClientReport sheet={sheet}>{entries}</ClientReport> : sheet(entries)}
      </div>
    </div>
  );
}

/** Account report for users without a client. */
function AccountEntries({ account, siteName }: { account: Account; siteName: string }) {
  return (
    <>
      <div className="grid gap-3">
        <h1 className="text-display-3">Account report</h1>
        <p className="measure text-muted">
          The data that {siteName} stores about your account, as of the date of this report.
        </p>
      </div>
      <dl className="grid gap-x-10 gap-y-6 sm:grid-cols-2 [&_dd]:text-lg">
        <Entry term="Name">{account.name || 'Not provided'}</Entry>
        <Entry term="Client since">{date.format(new Date(account.createdAt))}</Entry>
        <Entry term="Email">{account.email}</Entry>
        <Entry term="Role">Client</Entry>
      </dl>
      <p className="border-t border-line pt-6 text-sm text-muted [overflow-wrap:anywhere]">
        Account number, for support: <span className="font-mono text-xs">{account.id}</span>
      </p>
    </>
  );
}

function Entry({ term, children }: { term: string; children: React.ReactNode }) {
  return (
    <div className="break-inside-avoid">
      <dt className="text-sm text-muted">{term}</dt>
      <dd className="mt-1 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
