import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { requireDashboard } from '../../accounts/session.ts';
import { useClientMembership } from '../../accounts/use-client-membership.ts';
import { useSessionSync } from '../../accounts/use-session-sync.ts';
import { OVERVIEW, useOpenTab } from '../../clients/open-tab.ts';
import { siteSettingsQuery } from '../../settings/site-settings.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { titleHead } from '../../ui/lib/seo.ts';
import { AccountCard } from '../account-card.tsx';
import { ActionCard } from '../action-card.tsx';
import { DashboardFrame } from '../dashboard-frame.tsx';
import { ClientLoading } from './client-loading.tsx';
import { NextSteps } from './next-steps.tsx';

export const Route = createFileRoute('/_gate/_site/_portal/client-dashboard')({
  // An unknown client or tab selects the first client or tab.
  validateSearch: (search: { client?: string; tab?: string }) => search,
  beforeLoad: async (route) => ({ account: await requireDashboard(route, 'client') }),
  head: ({ matches }) => titleHead(matches, 'Client dashboard'),
  component: ClientDashboard,
});

/** Lazy component for members of a client. Other users do not render it, so they make no request. */
const OwnClients = lazy(() => import('./own-clients.tsx'), { Loading: ClientLoading });
/** Lazy component that is rendered only if calls can be booked. Otherwise no request is made. */
const BookedCalls = lazy(() => import('./booked-calls.tsx'));

/** Time after registration in which the greeting is “Welcome” instead of “Welcome back”. */
const NEW_ACCOUNT_MS = 24 * 60 * 60 * 1000;

function ClientDashboard() {
  const account = useSessionSync(Route.useRouteContext().account);
  useClientMembership(account);
  const { client } = Route.useSearch();
  const { tab } = useOpenTab();
  const { data: settings } = useQuery(siteSettingsQuery);
  const [isNew] = useState(() => Date.now() - Date.parse(account.createdAt) < NEW_ACCOUNT_MS);
  return (
    <DashboardFrame title={account.name ? `Welcome, ${account.name}` : isNew ? 'Welcome' : 'Welcome back'}>
      {account.hasClient && <OwnClients account={account} selectedId={client} />}
      {!account.hasClient && settings && (
        <div className="grid grid-cols-1 gap-4 *:only:col-span-full md:grid-cols-2">
          <NextSteps settings={settings} />
          {settings.booking === 'on' && <BookedCalls />}
        </div>
      )}
      {(!account.hasClient || tab === OVERVIEW) && (
        <div className="grid grid-cols-1 gap-3 md:grid-cols-2 lg:gap-4">
          <ActionCard title="Projects" text="Our published work">
            <ButtonLink to="/projects" variant="secondary">
              View Projects
            </ButtonLink>
          </ActionCard>
          <ActionCard title="Report" text="Print or save as PDF">
            <ButtonLink to="/client-dashboard/report" variant="secondary">
              Generate Report
            </ButtonLink>
          </ActionCard>
          <div className="md:col-span-2">
            <AccountCard account={account} />
          </div>
        </div>
      )}
    </DashboardFrame>
  );
}
