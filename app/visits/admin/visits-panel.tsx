import { useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { scrollToHeading } from '../../ui/lib/scroll-to-heading.ts';
import { messageOf } from '../../ui/show-error.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type VisitReport, visitReportQuery } from '../visits.ts';
import { TopLists } from './top-lists.tsx';
import { VisitsChart } from './visits-chart.tsx';
import { VisitsTable } from './visits-table.tsx';

const HEADING = 'visits-heading';

const TOTALS = { views: 'Views', chats: 'Opened chats', leads: 'Leads', bookings: 'Bookings' };

/** Scrolls to the heading of the figures and focuses it. */
export function focusVisits(): void {
  scrollToHeading(HEADING);
}

/** Shows the visits in the last 30 days. Counting is off by default. */
export function Visits() {
  const { data: report, error, refetch, isFetching } = useQuery(visitReportQuery);
  return (
    <section aria-labelledby={HEADING} className="grid grid-cols-1 gap-4">
      <h2 tabIndex={-1} id={HEADING} className="w-fit scroll-mt-24 text-lg font-semibold">
        Visits in the last 30 days
      </h2>
      {error && !report && (
        <EmptyState
          title="The figures could not be loaded"
          description={messageOf(error)}
          action={
            <Button variant="secondary" loading={isFetching} onClick={() => void refetch()}>
              Try again
            </Button>
          }
        />
      )}
      {!report && !error && (
        <div aria-busy="true">
          <p className="sr-only">Loading...</p>
          <Skeleton className="h-24 rounded-lg" />
        </div>
      )}
      {report && <Report report={report} />}
    </section>
  );
}

function Report({ report }: { report: VisitReport }) {
  const { is_counting, days, publications } = report;
  const totals = (['views', 'chats', 'leads', 'bookings'] as const).map((kind) => ({
    kind,
    count: days.reduce((sum, day) => sum + day[kind], 0),
  }));
  const relevantTotals = is_counting ? totals : totals.filter(({ kind }) => kind === 'views' || kind === 'chats');
  if (relevantTotals.every(({ count }) => count === 0)) return is_counting ? <NoVisits /> : <NotCounted />;
  return (
    <>
      <Card className="grid grid-cols-1 gap-5 p-5">
        <dl className="grid grid-cols-2 gap-x-10 gap-y-4 sm:flex sm:flex-wrap">
          {totals.map(({ kind, count }) => (
            <div key={kind}>
              <dt className="font-mono text-label text-muted">{TOTALS[kind]}</dt>
              <dd className="text-display-3">{count.toLocaleString('en-GB')}</dd>
            </div>
          ))}
        </dl>
        <VisitsChart days={days} publications={publications} />
        <VisitsTable days={days} publications={publications} />
      </Card>
      <details className="group min-w-0">
        <summary className="inline-flex min-h-6 cursor-pointer list-none items-center gap-1 text-sm text-muted hover:text-ink">
          <ChevronRight aria-hidden="true" className="size-4 transition-transform group-open:rotate-90" />
          Pages, sources and devices
        </summary>
        <div className="mt-3">
          <TopLists report={report} />
        </div>
      </details>
      <p className="text-sm text-muted">
        {is_counting
          ? 'Counts page views. Visitors are not identified. Days begin at midnight UTC. '
          : 'Visits are not being counted at the moment. '}
        Bots, signed-in admins and browsers that ask not to be tracked are left out.
      </p>
    </>
  );
}

function NotCounted() {
  return (
    <Card className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-5">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-medium">Visits are not counted</p>
        <p className="measure text-sm text-muted">
          The site can count page views, referrers and reading time, without cookies and without identifying visitors.
        </p>
      </div>
      <ButtonLink to="/admin/settings" variant="secondary" size="sm">
        Open the settings
      </ButtonLink>
    </Card>
  );
}

function NoVisits() {
  return (
    <Card className="p-5">
      <p className="font-medium">No visits yet</p>
      <p className="measure text-sm text-muted">
        A page view is counted when the visitor leaves the page. Your own views are not counted while you are signed in.
      </p>
    </Card>
  );
}
