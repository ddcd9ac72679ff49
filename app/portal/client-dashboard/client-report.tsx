import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { REPORTED_METRICS } from '../../../supabase/functions/metrics.ts';
import { approvalsQuery } from '../../clients/approvals/approvals.ts';
import { blocklistQuery } from '../../clients/blocklist/blocklist.ts';
import { changesQuery } from '../../clients/client-home.ts';
import { type Client, clientsQuery } from '../../clients/clients.ts';
import { sumsQuery } from '../../clients/figures/figures.ts';
import { currentDate } from '../../clients/figures/progress.ts';
import {
  formatDue,
  listGoals,
  periodBefore,
  periodOptions,
  reportDateRange,
  type Span,
  sumsByWeek,
  sumWithin,
} from '../../clients/figures/report.ts';
import { totalsQuery } from '../../clients/figures/team-totals.ts';
import { meetingsQuery } from '../../clients/meetings/meetings.ts';
import { FollowUp } from '../../clients/reports/blocks.tsx';
import { ClientLogo } from '../../clients/reports/client-logo.tsx';
import ReportSheet from '../../clients/reports/report-sheet.tsx';
import { formatAnswerRequest, formatChange } from '../../clients/reports/report-texts.ts';
import { sentReportQuery } from '../../clients/reports/reports.ts';
import { Results } from '../../clients/reports/results.tsx';
import { Field } from '../../ui/field.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Select } from '../../ui/select.tsx';
import { ClientLoading, ReportLoading } from './client-loading.tsx';

interface ClientReportProps {
  /** Renders the printed sheet with this content. */
  sheet: (content: ReactNode) => ReactNode;
  children: ReactNode;
}

/** Weekly or monthly report on a client. Renders its children for users without a client. */
export default function ClientReport({ sheet, children }: ClientReportProps) {
  const { data, error, isPending, refetch } = useQuery(clientsQuery(1));
  const [selectedId, setSelectedId] = useState<string>();
  const [span, setSpan] = useState<Span>('week');
  const [firstDay, setFirstDay] = useState<string>();
  const [now] = useState(() => new Date().toISOString());
  if (isPending) return <ReportLoading sheet={sheet} />;
  if (error) return sheet(<LoadError error={error} onRetry={() => void refetch()} />);
  const client = data.items.find(({ id }) => id === selectedId) ?? data.items[0];
  // The user was removed from the client during this session.
  if (!client) return sheet(children);
  const choices = periodOptions(span, client, now);
  // Defaults to the latest completed period.
  const period = choices.find((choice) => choice.first === firstDay) ?? choices[1];
  return (
    <>
      <div className="flex w-full max-w-3xl flex-wrap gap-4 print:hidden">
        {data.items.length > 1 && (
          <Field label="Client" className="min-w-0 flex-[1_1_10rem]">
            <Select value={client.id} onChange={(event) => setSelectedId(event.target.value)}>
              {data.items.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
        )}
        <Field label="Report type" className="min-w-0 flex-[1_1_8rem]">
          <Select value={span} onChange={(event) => setSpan(event.target.value === 'month' ? 'month' : 'week')}>
            <option value="week">Week</option>
            <option value="month">Month</option>
          </Select>
        </Field>
        <Field label="Period" className="min-w-0 flex-[2_1_13rem]">
          <Select value={period?.first} onChange={(event) => setFirstDay(event.target.value)}>
            {choices.map((choice) => (
              <option key={choice.first} value={choice.first}>
                {choice.label}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <div className="contents">
        {period &&
          sheet(
            <Sheet
              key={`${client.id} ${period.first} ${span}`}
              client={client}
              span={span}
              period={period}
              now={now}
            />,
          )}
      </div>
    </>
  );
}

interface SheetProps {
  client: Client;
  span: Span;
  period: { first: string; last: string; label: string };
  /** Current time as a timestamp. */
  now: string;
}

/** Shows the report that was sent for the period, or the current figures if no report was sent. */
function Sheet(props: SheetProps) {
  const { client, span, period } = props;
  const { data: sent, error, isPending, refetch } = useQuery(sentReportQuery(client.id, span, period.first));
  if (isPending) return <ClientLoading />;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (sent) return <ReportSheet report={sent} readerRole="client" />;
  return (
    <>
      <div className="grid justify-items-start gap-2">
        <ClientLogo logo={client.logo} className="mb-2" />
        <h1 className="text-display-3 [overflow-wrap:anywhere]">{client.name}</h1>
        <p className="text-muted">{period.label}</p>
      </div>
      <Blocks {...props} />
    </>
  );
}

function Blocks({ client, span, period, now }: SheetProps) {
  const sums = useQuery(sumsQuery(client.id, REPORTED_METRICS, reportDateRange(span, period, client)));
  const totals = useQuery(totalsQuery({ first: period.first, last: period.last }));
  const list = useQuery(blocklistQuery(client.id, 1));
  const approvals = useQuery(approvalsQuery(client.id, 1));
  const meetings = useQuery(meetingsQuery(client.id, 1));
  const changes = useQuery(changesQuery(client.id, period));
  const queries = [sums, totals, list, approvals, meetings, changes];
  const failure = queries.find(({ error }) => error)?.error;
  const retry = () => Promise.all(queries.map(({ refetch }) => refetch()));
  if (failure) return <LoadError error={failure} onRetry={() => void retry()} />;
  if (!sums.data || !totals.data || !list.data || !approvals.data || !meetings.data || !changes.data) {
    return <ClientLoading />;
  }
  const result = REPORTED_METRICS.map((metric) => ({
    metric,
    value: sumWithin(sums.data, metric, period),
    before: sumWithin(sums.data, metric, periodBefore(span, period)),
  })).filter(({ metric, value, before }) => metric === 'meetings' || value !== null || before !== null);
  const goals = listGoals(sums.data, client, period);
  const openCampaigns = client.campaigns.filter(({ phase, next_step }) => phase !== 'done' && next_step !== '');
  const today = currentDate(client, now);
  const pending = approvals.data.items.filter(({ verdict }) => verdict === null);
  const requests = [
    ...pending.map(({ title, due_on }) => `Your approval of “${title}”${formatDue(due_on, today)}.`),
    ...(approvals.data.waiting > pending.length
      ? [`Your approval of more texts: ${approvals.data.waiting - pending.length}.`]
      : []),
    ...(meetings.data.waiting > 0 ? [formatAnswerRequest(meetings.data.waiting)] : []),
    ...(goals.length === 0 ? ['Your monthly goals, so that we can measure our results against them.'] : []),
    ...(list.data.count === 0 ? ['The blocklist of companies and people that no campaign may contact.'] : []),
  ];
  return (
    <>
      <Results
        span={span}
        result={result}
        goals={goals}
        day={period.first}
        weeks={sumsByWeek(sums.data, period, client)}
        campaigns={totals.data.find(({ id }) => id === client.id)?.campaigns ?? []}
      />
      <FollowUp
        changes={changes.data.map(formatChange)}
        next={openCampaigns.map(({ name, next_step, due_on }) => `${name}: ${next_step}${formatDue(due_on, today)}`)}
        requests={requests}
      />
    </>
  );
}
