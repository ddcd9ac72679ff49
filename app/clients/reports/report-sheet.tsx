import { Link, useNavigate } from '@tanstack/react-router';
import type { Role } from '../../accounts/account.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { formatDayOf } from '../../ui/lib/format-date.ts';
import { formatPeriod } from '../figures/progress.ts';
import { type Funnel, isEmptyFunnel } from '../funnel/funnel-schema.ts';
import { FunnelSteps } from '../funnel/funnel-steps.tsx';
import type { OpenTab } from '../open-tab.ts';
import { FollowUp, Section } from './blocks.tsx';
import { ClientLogo } from './client-logo.tsx';
import { formatReportLines, formatReportPeriod } from './report-texts.ts';
import type { Report } from './reports.ts';
import { Results } from './results.tsx';

interface ReportSheetProps {
  report: Report;
  /** Determines which page the funnel rows link to. */
  readerRole: Role | null;
}

/** Renders a sent report or a draft, identically on screen and in print. */
export default function ReportSheet({ report, readerRole }: ReportSheetProps) {
  const { span } = report;
  const { result, goals, weeks, campaigns, funnel } = report.figures;
  const lines = formatReportLines(report.figures, report);
  return (
    <>
      <div className="grid justify-items-start gap-2">
        <ClientLogo logo={report.logo} className="mb-2" />
        <h1 className="text-display-3 [overflow-wrap:anywhere]">{report.client}</h1>
        <p className="text-muted">{formatReportPeriod(report)}</p>
      </div>
      <Corrections report={report} />
      {report.is_genuine === false && (
        <ErrorNote title="This report was altered">
          The content of this report was changed after approval and no longer matches its hash.
        </ErrorNote>
      )}
      {report.summary !== '' && (
        <Section title="Summary">
          <p className="measure whitespace-pre-line [overflow-wrap:anywhere]">{report.summary}</p>
        </Section>
      )}
      <Results span={span} result={result} goals={goals} day={report.first_day} weeks={weeks} campaigns={campaigns}>
        {lines.meetings && <p className="measure text-sm">{lines.meetings}</p>}
        {lines.imports.length > 0 && (
          <p className="measure text-sm text-muted [overflow-wrap:anywhere]">Sources: {lines.imports.join('; ')}.</p>
        )}
      </Results>
      {funnel && !isEmptyFunnel(funnel) && <ReportFunnel report={report} funnel={funnel} readerRole={readerRole} />}
      <FollowUp changes={lines.changes} next={lines.next} requests={lines.requests} />
      {report.hash && report.sent_at && (
        <div className="grid break-inside-avoid gap-1 text-label text-muted">
          <p>
            {`Approved${report.approved_by ? ` by ${report.approved_by}` : ''} on ${formatDayOf(report.sent_at, report.time_zone)}. This report cannot be changed.`}
          </p>
          <p>
            SHA-256, also included in the email that announced this report:{' '}
            <code className="font-mono [overflow-wrap:anywhere]">{report.hash}</code>
          </p>
        </div>
      )}
    </>
  );
}

interface ReportFunnelProps extends ReportSheetProps {
  funnel: Funnel;
}

/** Renders the funnel as stored in the report. Its rows link to the portal or to the team's client page. */
function ReportFunnel({ report: { client_id: id, figures }, funnel, readerRole }: ReportFunnelProps) {
  const navigate = useNavigate();
  const { currency } = figures.client;
  const openTab: OpenTab['open'] = (tab, hash = '') => {
    const search = { tab };
    if (readerRole === 'admin') void navigate({ to: '/admin/clients/$id', params: { id }, search, hash });
    else if (readerRole === 'team') void navigate({ to: '/team-dashboard/clients/$id', params: { id }, search, hash });
    else void navigate({ to: '/client-dashboard', search: { client: id, ...search }, hash });
  };
  return (
    <Section title="Funnel">
      <p className="text-sm text-muted">{formatPeriod({ first: funnel.first_day, last: funnel.last_day })}</p>
      <div className="overflow-hidden rounded-md border border-line">
        <FunnelSteps client={{ id, currency }} funnel={funnel} onOpen={openTab} />
      </div>
    </Section>
  );
}

/** Links to the corrected report and to a later correction. */
function Corrections({ report: { corrects, corrected_by } }: { report: Report }) {
  if (!corrects && !corrected_by) return null;
  return (
    <p role="note" className="measure rounded-md bg-sunken px-5 py-4">
      {corrects && (
        <>
          This report corrects{' '}
          <Link to="/reports/$id" params={{ id: corrects }} className="underline underline-offset-4">
            an earlier report
          </Link>
          .{' '}
        </>
      )}
      {corrected_by && (
        <>
          A later report{' '}
          <Link to="/reports/$id" params={{ id: corrected_by }} className="underline underline-offset-4">
            corrects it
          </Link>
          .
        </>
      )}
    </p>
  );
}
