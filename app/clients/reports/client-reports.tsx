import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronRight, FileText, Plus } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { formatDate } from '../../ui/lib/format-date.ts';
import { dayOf, formatDay } from '../../ui/lib/zoned-times.ts';
import { ROW_LINK_CLASS } from '../../ui/list/card-list.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { Client } from '../clients.ts';
import { DownloadAll } from './download-all.tsx';
import { formatReportPeriod, formatResult } from './report-texts.ts';
import { type ListedReport, reportsQuery, tamperedReportsQuery } from './reports.ts';
import { StartReportDialog } from './start-report-dialog.tsx';

/** Number of reports shown while the list is collapsed. */
const COLLAPSED_REPORTS = 4;

interface ClientReportsProps {
  client: Client;
  /** True for team members, who write and send reports. Client members read sent reports. */
  isTeam?: boolean;
  /** True in the impersonated view, which is read-only. Omits the section label to avoid duplicate landmarks. */
  isImpersonated?: boolean;
  headingLevel: 2 | 3 | 4;
}

/** Lists a client's reports, with the archive download. */
export function ClientReports({ client, isTeam = false, isImpersonated = false, headingLevel }: ClientReportsProps) {
  const Heading = `h${headingLevel}` as const;
  const [page, setPage] = useState(1);
  const [showsAll, setShowsAll] = useState(false);
  const [isStarting, setStarting] = useState(false);
  const { data, error, isPending, refetch } = useQuery(reportsQuery(client.id, page, !isTeam));
  const tampered = useQuery({ ...tamperedReportsQuery(client.id), enabled: isTeam });
  const visibleReports = showsAll ? data?.items : data?.items.slice(0, COLLAPSED_REPORTS);
  return (
    <section aria-label={isImpersonated ? undefined : `Reports, ${client.name}`}>
      <Card className="grid grid-cols-1 gap-4 p-5">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <Heading className={headingLevel === 4 ? 'font-medium' : 'text-lg font-semibold'}>Reports</Heading>
          {isTeam && !isImpersonated && (
            <Button size="sm" aria-label={`New report for ${client.name}`} onClick={() => setStarting(true)}>
              <Plus aria-hidden="true" />
              New report
            </Button>
          )}
        </div>
        {isPending && <Skeleton className="h-16 rounded-md" />}
        {error && <LoadError error={error} onRetry={() => void refetch()} />}
        {tampered.data?.map(({ id, first_day, problem }) => (
          <ErrorNote key={id} title={`Report from ${formatDate(first_day)}`}>
            {problem}
          </ErrorNote>
        ))}
        {data?.count === 0 && page === 1 && (
          <EmptyState
            icon={FileText}
            title="No reports yet."
            description={
              isTeam
                ? 'Set a day and time for automatic drafts under Edit, or create a report now.'
                : 'Each report is kept exactly as we sent it.'
            }
          />
        )}
        {visibleReports && visibleReports.length > 0 && (
          <ul className="-mx-5 grid grid-cols-1 divide-y divide-line border-y border-line last:-mb-5 last:border-b-0">
            {visibleReports.map((report) => (
              <ReportRow timeZone={client.time_zone} key={report.id} report={report} isImpersonated={isImpersonated} />
            ))}
          </ul>
        )}
        {data && visibleReports && data.count > visibleReports.length && !showsAll && (
          <Button variant="link" className="justify-self-start" onClick={() => setShowsAll(true)}>
            {`Show all ${data.count.toLocaleString('en-GB')} reports`}
          </Button>
        )}
        {showsAll && <Pagination page={page} count={data?.count} onPageChange={setPage} />}
        {!isImpersonated && <DownloadAll client={client} />}
      </Card>
      {isStarting && <StartReportDialog client={client} onClose={() => setStarting(false)} />}
    </section>
  );
}

interface ReportRowProps {
  report: ListedReport;
  timeZone: string;
  isImpersonated: boolean;
}

function ReportRow({ report, timeZone, isImpersonated }: ReportRowProps) {
  const period = formatReportPeriod(report);
  return (
    <li className="relative flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 px-5 py-2.5 has-[a]:hover:bg-sunken max-sm:pr-12">
      <span className="grid min-w-0 flex-1 gap-0.5 max-sm:basis-full">
        {isImpersonated ? (
          <span className="font-medium">{period}</span>
        ) : (
          <Link to="/reports/$id" params={{ id: report.id }} className={`font-medium ${ROW_LINK_CLASS}`}>
            {period}
          </Link>
        )}
        <span className="text-sm text-muted">{formatResult(report.result)}</span>
      </span>
      <span className="flex flex-wrap items-center gap-3 text-sm text-muted">
        {report.corrects && <Badge>Correction</Badge>}
        {report.sent_at ? (
          <span>Sent {formatDay(dayOf(report.sent_at, timeZone), { day: 'numeric', month: 'short' })}</span>
        ) : (
          <Badge tone="warning">Draft, not sent</Badge>
        )}
      </span>
      {!isImpersonated && (
        <ChevronRight aria-hidden="true" className="size-4.5 text-muted max-sm:absolute max-sm:right-5" />
      )}
    </li>
  );
}
