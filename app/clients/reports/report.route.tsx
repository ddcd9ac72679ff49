import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { ArrowLeft, Printer } from 'lucide-react';
import { useEffect } from 'react';
import { getStartPage, requireAccount } from '../../accounts/session.ts';
import { useSessionSync } from '../../accounts/use-session-sync.ts';
import { Logo } from '../../settings/brand/logo.tsx';
import { siteSettingsQuery } from '../../settings/site-settings.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { titleHead } from '../../ui/lib/seo.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { usePrintTheme } from '../../ui/use-print-theme.ts';
import { recordReadMutation } from '../client-home.ts';
import { reportQuery } from './reports.ts';

/** Report page. Shows sent reports to the client and also drafts to the team. */
export const Route = createFileRoute('/_gate/_site/_portal/reports/$id')({
  beforeLoad: async (route) => ({ account: await requireAccount(route) }),
  loader: ({ context }) => context.queryClient.ensureQueryData(siteSettingsQuery),
  head: ({ matches }) => titleHead(matches, 'Report'),
  component: ReportPage,
});

const ReportSheet = lazy(() => import('./report-sheet.tsx'));
/** Rendered only for users who can edit the report. */
const DraftPanel = lazy(() => import('./draft-panel.tsx'));
const CorrectButton = lazy(() => import('./correct-button.tsx'));

/** Refetch interval of an open draft, in milliseconds. Imports can change the figures of a draft. */
const DRAFT_REFETCH_MS = 20_000;

function ReportPage() {
  usePrintTheme();
  const account = useSessionSync(Route.useRouteContext().account);
  const { id } = Route.useParams();
  const { data: settings } = useSuspenseQuery(siteSettingsQuery);
  const {
    data: report,
    error,
    isPending,
    refetch,
  } = useQuery({
    ...reportQuery(id),
    refetchInterval: ({ state }) => (state.data?.may_change ? DRAFT_REFETCH_MS : false),
  });
  const home = getStartPage(account);
  const { mutate: recordRead } = useMutation(recordReadMutation);
  const clientId = account.role === 'client' ? report?.client_id : undefined;
  useEffect(() => {
    if (clientId !== undefined) recordRead({ clientId, reports: [id] });
  }, [recordRead, clientId, id]);
  return (
    <div className="page-grid grid grid-cols-1 justify-items-center gap-6 pt-6 pb-12 sm:pt-12 print:w-full print:p-0">
      <div className="flex w-full max-w-3xl flex-wrap justify-between gap-3 print:hidden">
        <ButtonLink to={home} variant="link">
          <ArrowLeft aria-hidden="true" />
          {home === '/admin/dashboard' ? 'Back to the admin area' : 'Back to the dashboard'}
        </ButtonLink>
        {report && (
          <div className="flex flex-wrap gap-3">
            {report.hash && report.content_hash && !report.corrected_by && <CorrectButton report={report} />}
            <Button variant={report.may_change ? 'secondary' : 'primary'} onClick={() => window.print()}>
              <Printer aria-hidden="true" />
              Print
            </Button>
          </div>
        )}
      </div>
      {report?.may_change && <DraftPanel key={report.id} report={report} home={home} />}
      {isPending && <Skeleton className="h-96 w-full max-w-3xl rounded-lg" />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {report === null && (
        <EmptyState
          title="Report not found"
          description="You may be signed in to another account, or the report has not been sent yet."
        />
      )}
      {report && (
        <article className="grid w-full max-w-3xl grid-cols-1 gap-10 rounded-lg border border-line bg-surface p-6 sm:p-14 print:gap-7 print:rounded-none print:border-0 print:p-0">
          <header className="flex flex-wrap items-center justify-between gap-4 border-b border-line pb-6">
            <Logo name={settings.site_name} />
            <p className="font-mono text-label text-muted">
              {report.hash ? `${report.span === 'week' ? 'Weekly' : 'Monthly'} report` : 'Draft, not sent'}
            </p>
          </header>
          <ReportSheet report={report} readerRole={account.role} />
          <footer className="border-t border-line pt-6 text-sm text-muted">
            Questions about this report: {settings.contact_email}
          </footer>
        </article>
      )}
    </div>
  );
}
