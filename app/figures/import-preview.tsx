import type { Campaign } from '../data/clients/clients.ts';
import type { RefusedLine } from '../data/figures/figure-file.ts';
import type { Judgement } from '../data/figures/figures.ts';
import { metricWord } from '../data/figures/metrics.ts';
import { formatCount } from '../data/figures/progress.ts';
import { formatDate } from '../lib/format-date.ts';

/** Lines that are shown of each kind. */
const SHOWN = 100;

interface ImportPreviewProps {
  judgement: Judgement;
  /** Lines that could not be read. */
  unread: readonly RefusedLine[];
  campaigns: readonly Campaign[];
}

/** Says what an import does, and names the lines that it refuses, changes and adds. */
export function ImportPreview({ judgement, unread, campaigns }: ImportPreviewProps) {
  const names = new Map(campaigns.map(({ id, name }) => [id, name]));
  const examples = judgement.examples.map((one) => {
    const figure = `${metricWord(one.metric)} ${formatCount(one.value)}`;
    const place = `${names.get(one.campaign) ?? 'Unknown campaign'}, ${formatDate(one.day)}`;
    const former = one.state === 'changed' ? `, was ${formatCount(one.before ?? 0)}` : '';
    return { ...one, text: one.reason ? `${place}, ${figure}. ${one.reason}` : `${place}: ${figure}${former}` };
  });
  const of = (state: string) => examples.filter((one) => one.state === state);
  const refused = [...unread.map(({ line, reason }) => ({ line, text: reason })), ...of('refused')].toSorted(
    (one, other) => one.line - other.line,
  );
  const refusedCount = judgement.refused + unread.length;
  const counts = [
    ['New', judgement.new],
    ['Changed', judgement.changed],
    ['The same', judgement.same],
    ['Refused', refusedCount],
  ] as const;
  return (
    <section aria-label="What the import does" className="grid grid-cols-1 gap-4 border-t border-line pt-5">
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {counts.map(([word, count]) => (
          <div key={word} className="rounded-md bg-sunken px-4 py-3">
            <dt className="font-mono text-label text-muted">{word}</dt>
            <dd className="text-display-3 tabular-nums">{formatCount(count)}</dd>
          </div>
        ))}
      </dl>
      {judgement.new + judgement.changed === 0 && <p>This file changes nothing.</p>}
      <Lines title="Refused" count={refusedCount} lines={refused.slice(0, SHOWN)} open />
      <Lines title="Changed" count={judgement.changed} lines={of('changed')} open />
      <Lines title="New" count={judgement.new} lines={of('new')} />
    </section>
  );
}

interface LinesProps {
  title: string;
  count: number;
  lines: readonly { line: number; text: string }[];
  open?: boolean;
}

function Lines({ title, count, lines, open = false }: LinesProps) {
  if (count === 0) return null;
  return (
    <details open={open} className="group">
      <summary className="cursor-pointer rounded-sm py-1 font-medium">
        {title} <span className="font-normal text-muted">{formatCount(count)}</span>
      </summary>
      <ul className="mt-1 grid max-h-64 grid-cols-1 divide-y divide-line overflow-y-auto text-[0.9375rem]">
        {lines.map(({ line, text }) => (
          <li key={`${line} ${text}`} className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-3 py-2">
            <span className="font-mono text-label leading-6 text-muted">Line {line}</span>
            <span className="[overflow-wrap:anywhere]">{text}</span>
          </li>
        ))}
      </ul>
      {count > lines.length && <p className="pt-2 text-sm text-muted">And {formatCount(count - lines.length)} more.</p>}
    </details>
  );
}
