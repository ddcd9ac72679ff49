import { createFileRoute } from '@tanstack/react-router';
import { requireDashboard } from '../accounts/session.ts';
import { useSessionSync } from '../accounts/use-session-sync.ts';
import { lazy } from '../ui/lazy.tsx';
import { titleHead } from '../ui/lib/seo.ts';

export const Route = createFileRoute('/_gate/_site/_portal/team-dashboard/clients/$id')({
  beforeLoad: async (route) => ({ account: await requireDashboard(route, 'team') }),
  head: ({ matches }) => titleHead(matches, 'Client'),
  component: TeamClientRoute,
});

const TeamClient = lazy(() => import('./team-client.tsx'));

function TeamClientRoute() {
  useSessionSync(Route.useRouteContext().account);
  return <TeamClient id={Route.useParams().id} />;
}
