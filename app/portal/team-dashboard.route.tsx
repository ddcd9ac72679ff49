import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { ChartLine, FolderKanban, Users } from 'lucide-react';
import { requireDashboard } from '../accounts/session.ts';
import { useClientMembership } from '../accounts/use-client-membership.ts';
import { useSessionSync } from '../accounts/use-session-sync.ts';
import { siteSettingsQuery } from '../settings/site-settings.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { lazy } from '../ui/lazy.tsx';
import { titleHead } from '../ui/lib/seo.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { AccountCard } from './account-card.tsx';
import { DashboardFrame } from './dashboard-frame.tsx';

export const Route = createFileRoute('/_gate/_site/_portal/team-dashboard')({
  beforeLoad: async (route) => ({ account: await requireDashboard(route, 'team') }),
  head: ({ matches }) => titleHead(matches, 'Team dashboard'),
  component: TeamDashboard,
});

/** Rendered only if lead capture is enabled, so that no request is made otherwise. */
const TeamLeads = lazy(() => import('./team-leads.tsx'), { Loading: SectionPlaceholder });
/** Rendered only if calls can be booked, so that no request is made otherwise. */
const TeamCalls = lazy(() => import('./team-calls.tsx'), { Loading: SectionPlaceholder });
/** Rendered only for users with assigned clients, so that other users make no request. */
const TeamClients = lazy(() => import('./team-clients.tsx'), { Loading: placeholderAt('clients') });

/** Rendered only for users with assigned clients. */
const TeamProjects = lazy(() => import('./team-projects.tsx'), { Loading: placeholderAt('projects') });
const TeamAnalytics = lazy(() => import('../clients/figures/team-analytics.tsx'), {
  Loading: placeholderAt('analytics'),
});

/** Link targets of the buttons for users with assigned clients. For other users the buttons are inert, as specified. */
const SECTION_IDS: Record<string, string> = { Clients: 'clients', Projects: 'projects', Analytics: 'analytics' };

const AREAS = [
  { icon: Users, title: 'Clients', text: 'Your clients and their status.', action: 'View Clients' },
  {
    icon: FolderKanban,
    title: 'Projects',
    text: 'Running projects, their owners and due dates.',
    action: 'View Projects',
  },
  {
    icon: ChartLine,
    title: 'Analytics',
    text: 'Replies, meetings and pipeline by campaign.',
    action: 'View Analytics',
  },
];

/** Reserves space above the cards to prevent a layout shift. */
function SectionPlaceholder() {
  return <Skeleton className="h-40 rounded-lg" />;
}

/** Placeholder with the anchor of a button, so that the link works before the section has loaded. */
function placeholderAt(id: string) {
  return () => (
    <div id={id} className="scroll-mt-24">
      <SectionPlaceholder />
    </div>
  );
}

/** Disabled style: no surface and no hover state. */
const INERT = 'pointer-events-none border-dashed bg-transparent text-muted';

function TeamDashboard() {
  const account = useSessionSync(Route.useRouteContext().account);
  useClientMembership(account);
  const { data: settings } = useQuery(siteSettingsQuery);
  const collectsLeads = [settings?.keep_contact_messages, settings?.leads_from_chat, settings?.booking].includes('on');
  return (
    <DashboardFrame title={account.name ? `Welcome, ${account.name}` : 'Team dashboard'}>
      {!account.hasClient && <p className="text-muted">An admin assigns clients to you. They appear here.</p>}
      {account.hasClient && <TeamClients />}
      {settings?.booking === 'on' && <TeamCalls />}
      {collectsLeads && <TeamLeads userId={account.id} />}
      {account.hasClient && <TeamProjects />}
      {account.hasClient && <TeamAnalytics />}
      <div className="grid gap-6 sm:grid-cols-2 lg:grid-cols-4">
        {AREAS.map(({ icon: Icon, title, text, action }) => (
          <Card key={title} className="grid grid-rows-[auto_auto_1fr_auto] gap-3 p-6">
            <Icon aria-hidden="true" className="size-7 text-accent" />
            <h2 className="text-lg font-semibold">{title}</h2>
            <p className="text-muted">{text}</p>
            <div className="mt-3 flex flex-wrap items-center gap-3">
              {account.hasClient && SECTION_IDS[title] ? (
                <ButtonLink to="." hash={SECTION_IDS[title]} variant="secondary">
                  {action}
                </ButtonLink>
              ) : (
                <>
                  <Button variant="secondary" aria-disabled="true" aria-describedby={`${title}-note`} className={INERT}>
                    {action}
                  </Button>
                  <span id={`${title}-note`} className="text-sm text-muted">
                    Available once you have a client
                  </span>
                </>
              )}
            </div>
          </Card>
        ))}
        <AccountCard account={account} />
      </div>
    </DashboardFrame>
  );
}
