import { METRICS } from '../../../supabase/functions/metrics.ts';
import { formatDate } from '../../ui/lib/format-date.ts';
import { Counts, LineGroup } from '../../ui/line-group.tsx';
import type { Campaign } from '../clients.ts';
import type { RejectedLine } from './figure-file.ts';
import type { FiguresResult } from './figures.ts';
import { formatCount } from './progress.ts';

/** Maximum number of lines shown for each state. */
const MAX_SHOWN_LINES = 100;

interface ImportPreviewProps {
  result: FiguresResult;
  /** Lines that could not be read. */
  unreadable: readonly RejectedLine[];
  campaigns: readonly Pick<Campaign, 'id' | 'name'>[];
}

/** Previews the rejected, changed and new lines of an import. */
export function ImportPreview({ result, unreadable, campaigns }: ImportPreviewProps) {
  const names = new Map(campaigns.map(({ id, name }) => [id, name]));
  const examples = result.examples.map((item) => {
    const figure = `${METRICS[item.metric].label} ${formatCount(item.value)}`;
    const context = `${names.get(item.campaign) ?? 'Unknown campaign'}, ${formatDate(item.day)}`;
    const previous = item.state === 'changed' ? `, was ${formatCount(item.before ?? 0)}` : '';
    return {
      ...item,
      text: item.reason ? `${context}, ${figure}. ${item.reason}` : `${context}: ${figure}${previous}`,
    };
  });
  const findExamples = (state: string) => examples.filter((example) => example.state === state);
  const rejected = [
    ...unreadable.map(({ line, reason }) => ({ line, text: reason })),
    ...findExamples('refused'),
  ].toSorted((first, second) => first.line - second.line);
  const rejectedCount = result.refused + unreadable.length;
  const counts = [
    ['New', result.new],
    ['Changed', result.changed],
    ['Unchanged', result.same],
    ['Rejected', rejectedCount],
  ] as const;
  return (
    <section aria-label="Summary" className="grid grid-cols-1 gap-4 border-t border-line pt-5">
      <Counts counts={counts} />
      {result.new + result.changed === 0 && <p>This file changes nothing.</p>}
      <LineGroup title="Rejected" count={rejectedCount} lines={rejected.slice(0, MAX_SHOWN_LINES)} open />
      <LineGroup title="Changed" count={result.changed} lines={findExamples('changed')} open />
      <LineGroup title="New" count={result.new} lines={findExamples('new')} />
    </section>
  );
}
