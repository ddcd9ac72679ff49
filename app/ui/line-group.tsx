import { clsx } from 'clsx';

const number = new Intl.NumberFormat('en-GB');

/** Shows the number of lines per outcome. */
export function Counts({ counts }: { counts: readonly (readonly [label: string, count: number])[] }) {
  return (
    <dl className={clsx('grid gap-3', counts.length === 3 ? 'grid-cols-3' : 'grid-cols-2 sm:grid-cols-4')}>
      {counts.map(([label, count]) => (
        <div key={label} className="rounded-md bg-sunken px-4 py-3">
          <dt className="font-mono text-label text-muted">{label}</dt>
          <dd className="text-display-3 tabular-nums">{number.format(count)}</dd>
        </div>
      ))}
    </dl>
  );
}

interface LineGroupProps {
  title: string;
  count: number;
  lines: readonly { line: number; text: string }[];
  open?: boolean;
}

/** Numbered lines with the same outcome, collapsed behind their title unless `open`. */
export function LineGroup({ title, count: total, lines, open = false }: LineGroupProps) {
  if (total === 0) return null;
  return (
    <details open={open} className="group">
      <summary className="cursor-pointer rounded-sm py-1 font-medium">
        {title} <span className="font-normal text-muted">{number.format(total)}</span>
      </summary>
      <ul className="mt-1 grid max-h-64 grid-cols-1 divide-y divide-line overflow-y-auto text-[0.9375rem]">
        {lines.map(({ line, text }) => (
          <li key={`${line} ${text}`} className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-3 py-2">
            <span className="font-mono text-label leading-6 text-muted">Line {line}</span>
            <span className="[overflow-wrap:anywhere]">{text}</span>
          </li>
        ))}
      </ul>
      {total > lines.length && (
        <p className="pt-2 text-sm text-muted">And {number.format(total - lines.length)} more.</p>
      )}
    </details>
  );
}
