import type { ReactNode } from 'react';
import { METRICS, type Metric } from '../../../supabase/functions/metrics.ts';
import { formatCount } from '../figures/progress.ts';

interface ResultProps {
  span: 'week' | 'month';
  /** Null if there is no figure, as opposed to 0. */
  rows: readonly { metric: Metric; value: number | null; before: number | null }[];
  /** Lines below the table. */
  children?: ReactNode;
}

/** Results block of a report, compared with the previous period. */
export function Result({ span, rows, children }: ResultProps) {
  const formatValue = (value: number | null) => (value === null ? '–' : formatCount(value));
  return (
    <Section title="Result">
      <table className="w-full text-left tabular-nums">
        <thead className="font-mono text-label text-muted">
          <tr>
            <th scope="col" className="py-2 font-normal">
              Metric
            </th>
            <th scope="col" className="py-2 text-right font-normal">
              This {span}
            </th>
            <th scope="col" className="py-2 text-right font-normal">
              Previous {span}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line border-y border-line">
          {rows.map(({ metric, value, before }) => (
            <tr key={metric}>
              <th scope="row" className="py-2 font-normal">
                {METRICS[metric].label}
              </th>
              <td className="py-2 text-right font-semibold">{formatValue(value)}</td>
              <td className="py-2 text-right text-muted">{formatValue(before)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {children}
    </Section>
  );
}

/** Block of a report as a list, with a text for an empty list. */
export function Block({ title, none, lines }: { title: string; none: string; lines: readonly string[] }) {
  return (
    <Section title={title}>
      {lines.length === 0 && <p className="text-muted">{none}</p>}
      <Lines lines={lines} />
    </Section>
  );
}

export function Lines({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <ul className="grid gap-1.5">
      {lines.map((line) => (
        <li key={line} className="measure [overflow-wrap:anywhere]">
          {line}
        </li>
      ))}
    </ul>
  );
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid break-inside-avoid gap-3">
      <h2 className="text-lg font-semibold">{title}</h2>
      {children}
    </section>
  );
}
