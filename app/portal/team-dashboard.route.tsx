import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { requireDashboard } from '../accounts/session.ts';
import { useClientMembership } from '../accounts/use-client-membership.ts';
import { useSessionSync } from '../accounts/use-session-sync.ts';
import { siteSettingsQuery } from '../settings/site-settings.ts';
import { Button, ButtonLink, buttonClass } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { lazy } from '../ui/lazy.tsx';
import { titleHead } from '../ui/lib/seo.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { Step } from '../ui/steps.tsx';
import { AccountCard } from './account-card.tsx';
import { ActionCard } from './action-card.tsx';
import { DashboardFrame } from './dashboard-frame.tsx';

export const Route = createFileRoute('/_gate/_site/_portal/team-dashboard')({
  beforeLoad: async (route) => ({ account: await requireDashboard(route, 'team') }),
  head: ({ matches }) => titleHead(matches, 'Team dashboard'),
  component: TeamDashboard,
});

/** Lazy component that is rendered only if lead capture is enabled. Otherwise no request is made. */
const TeamLeads = lazy(() => import('./team-leads.tsx'), { Loading: SectionPlaceholder });
/** Lazy component that is rendered only if calls can be booked. Otherwise no request is made. */
const TeamCalls = lazy(() => import('./team-calls.tsx'), { Loading: SectionPlaceholder });
/** Lazy component for users with assigned clients. Other users do not render it, so they make no request. */
const TeamClients = lazy(() => import('./team-clients.tsx'), { Loading: placeholderAt('clients') });

/** Lazy component for users with assigned clients. */
const TeamProjects = lazy(() => import('./team-projects.tsx'), { Loading: placeholderAt('projects') });
const TeamAnalytics = lazy(() => import('../clients/figures/team-analytics.tsx'), {
  Loading: placeholderAt('analytics'),
});

/** Links for users with assigned clients. For other users, they are cards with inert buttons, as specified. */
const AREAS = [
  { title: 'Clients', text: 'Status and answers', id: 'clients' },
  { title: 'Projects', text: 'By phase and due date', id: 'projects' },
  { title: 'Analytics', text: 'By channel and month', id: 'analytics' },
];

/** Reserves space to prevent a layout shift. */
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

const NO_CLIENT = 'An admin assigns clients to you. Their status, projects and figures then appear here.';

/** Disabled buttons have no surface and no hover state. */
const INERT_CLASS = 'pointer-events-none border-dashed bg-transparent text-muted';

function TeamDashboard() {
  const account = useSessionSync(Route.useRouteContext().account);
  useClientMembership(account);
  const { data: settings } = useQuery(siteSettingsQuery);
  const collectsLeads = [settings?.keep_contact_messages, settings?.leads_from_chat, settings?.booking].includes('on');
  return (
    <DashboardFrame
      title={account.name ? `Welcome, ${account.name}` : 'Team dashboard'}
      description={!account.hasClient && <span id="no-client">{NO_CLIENT}</span>}
      actions={
        !account.hasClient &&
        settings?.contact_email && (
          <a href={`mailto:${settings.contact_email}`} className={buttonClass({ variant: 'link' })}>
            Write to us
          </a>
        )
      }
    >
      <div className={clsx('grid grid-cols-3 gap-2 sm:gap-3', account.hasClient && 'sm:flex')}>
        {AREAS.map(({ title, text, id }) =>
          account.hasClient ? (
            <ButtonLink key={title} to="." hash={id} variant="secondary" className="max-sm:px-2 max-sm:text-sm">
              <span>
                <span className="max-sm:sr-only">View </span>
                {title}
              </span>
            </ButtonLink>
          ) : (
            <ActionCard key={title} isNarrow title={title} text={text}>
              <Button variant="secondary" aria-disabled="true" aria-describedby="no-client" className={INERT_CLASS}>
                <span>
                  View<span className="max-sm:sr-only"> {title}</span>
                </span>
              </Button>
            </ActionCard>
          ),
        )}
      </div>
      {account.hasClient && <TeamClients />}
      {settings?.booking === 'on' && <TeamCalls />}
      {collectsLeads && <TeamLeads userId={account.id} />}
      {!account.hasClient && <FirstSteps hasName={account.name !== ''} />}
      {account.hasClient && <TeamProjects />}
      {account.hasClient && <TeamAnalytics />}
      <AccountCard account={account} />
    </DashboardFrame>
  );
}

const FIRST_STEPS = [
  { title: 'Add your name', text: 'Your name is shown to colleagues and in our emails.', action: 'Add name' },
  { title: 'Protect your account', text: 'Add an authenticator app or a passkey.', action: 'Open security' },
  { title: 'Get your first client', text: 'An admin assigns it. You do not need to do anything.', action: null },
];

/** Onboarding steps of a team member, until an admin assigns the first client. */
function FirstSteps({ hasName }: { hasName: boolean }) {
  return (
    <Card className="grid grid-cols-1 gap-4 p-4 sm:p-5">
      <h2 className="text-lg font-semibold">First steps</h2>
      <ol>
        {FIRST_STEPS.map(({ title, text, action }, index) => (
          <Step key={title} number={index + 1} isDone={index === 0 && hasName} isCurrent={index === Number(hasName)}>
            <h3 className="font-medium">{title}</h3>
            <p className="text-muted">{text}</p>
            {action && (
              <Link
                to="/account"
                className={buttonClass({ variant: index === Number(hasName) ? 'primary' : 'link', size: 'sm' }, 'mt-2')}
              >
                {action}
              </Link>
            )}
          </Step>
        ))}
      </ol>
    </Card>
  );
}
