import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import { readAsSignedIn } from '../../api/as-signed-in.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { formatCount } from '../figures/progress.ts';
import { KEY } from './approvals.ts';
import { wilsonInterval } from './wilson-interval.ts';

/** Minimum number of messages for a meaningful rate. */
const MIN_SENT = 200;

const resultSchema = z.object({
  approval_id: z.string(),
  title: z.string(),
  number: z.number(),
  /** Null if the provider does not report steps. */
  step: z.number().nullable(),
  sent: z.number(),
  bounced: z.number(),
  replied: z.number(),
  interested: z.number(),
  meetings: z.number(),
});

type Result = z.output<typeof resultSchema>;

/** Reads the results of all of a client's texts, sorted by number of messages, largest first. */
function textResultsQuery(clientId: string) {
  return queryOptions({
    queryKey: [...KEY, 'results', clientId],
    queryFn: async (context) => {
      const rows = await readAsSignedIn((api) => api.rpc('text_results', { _client_id: clientId }))(context);
      return z.array(resultSchema).parse(rows);
    },
  });
}

interface TextResultsProps {
  clientId: string;
  /** Limits the list to the versions of one text. */
  approvalId?: string;
}

/** Results of a client's texts, by version and step. Loaded when the list is opened. */
export function TextResults(props: TextResultsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit cursor-pointer rounded-sm text-sm text-muted hover:text-ink">
        {props.approvalId === undefined ? 'Results of earlier texts' : 'Results of this text'}
      </summary>
      {isOpen && <ResultList {...props} />}
    </details>
  );
}

function ResultList({ clientId, approvalId }: TextResultsProps) {
  const { data, error, isPending, refetch } = useQuery(textResultsQuery(clientId));
  if (isPending) return <Skeleton className="mt-4 h-24 rounded-md" />;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  const results = data.filter(({ approval_id }) => approvalId === undefined || approval_id === approvalId);
  if (results.length === 0) {
    return (
      <p className="measure pt-3 text-sm text-muted">No source has reported a message with an approved text yet.</p>
    );
  }
  return (
    <div className="grid grid-cols-1 gap-3 pt-3">
      <ul className="grid grid-cols-1 divide-y divide-line border-y border-line">
        {results.map((result) => (
          <ResultRow key={`${result.approval_id} ${result.number} ${result.step}`} result={result} />
        ))}
      </ul>
      <p className="measure text-sm text-muted">
        {`Each range contains the true rate with 95% confidence. Ranges are shown for ${MIN_SENT} messages or more.`}
      </p>
    </div>
  );
}

function ResultRow({ result }: { result: Result }) {
  const { title, number, step, sent, bounced, replied, interested, meetings } = result;
  const figures = [
    ['Bounced', bounced],
    ['Replied', replied],
    ['Interested', interested],
    ['Meetings', meetings],
  ] as const;
  return (
    <li className="grid grid-cols-1 gap-2 py-3">
      <p className="[overflow-wrap:anywhere]">
        <span className="font-medium">{title}</span>{' '}
        <span className="text-sm text-muted">
          {[`Version ${number}`, step !== null && `step ${step}`].filter(Boolean).join(' · ')}
        </span>
      </p>
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(6rem,1fr))] gap-x-4 gap-y-2">
        <Figure label="Sent" value={sent} rate={sent < MIN_SENT ? 'too few messages' : ''} />
        {figures.map(([label, value]) => (
          <Figure key={label} label={label} value={value} rate={sent < MIN_SENT ? '' : formatRange(value, sent)} />
        ))}
      </dl>
    </li>
  );
}

function Figure({ label, value, rate }: { label: string; value: number; rate: string }) {
  return (
    <div>
      <dt className="font-mono text-label text-muted">{label}</dt>
      <dd className="font-medium">
        {formatCount(value)}
        {rate !== '' && <span className="block text-sm font-normal text-muted">{rate}</span>}
      </dd>
    </div>
  );
}

/** Formats a confidence interval, such as '3.5% to 10%'. */
function formatRange(part: number, whole: number): string {
  const { low, high } = wilsonInterval(part, whole);
  return `${formatRate(low)} to ${formatRate(high)}`;
}

function formatRate(rate: number): string {
  return rate.toLocaleString('en-GB', { style: 'percent', maximumFractionDigits: rate < 0.1 ? 1 : 0 });
}
