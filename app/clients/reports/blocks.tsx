import type { ReactNode } from 'react';

/** Block of a report as a list, with a text for an empty list. */
export function Block({ title, none, lines }: { title: string; none: string; lines: readonly string[] }) {
  return (
    <Section title={title}>
      {lines.length === 0 && <p className="text-muted">{none}</p>}
      <Lines lines={lines} />
    </Section>
  );
}

function Lines({ lines }: { lines: readonly string[] }) {
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
    // Printed with the heading on the page of the first lines.
    <section className="grid grid-cols-1 content-start gap-3">
      <h2 className="break-after-avoid text-lg font-semibold">{title}</h2>
      {children}
    </section>
  );
}
