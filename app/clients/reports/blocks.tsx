import type { ReactNode } from 'react';

interface BlockProps {
  title: string;
  lines: readonly string[];
  /** Text for an empty list. If undefined, an empty block is omitted. */
  emptyText?: string;
}

/** Renders a block of a report as a list. */
function Block({ title, lines, emptyText }: BlockProps) {
  if (lines.length === 0 && emptyText === undefined) return null;
  return (
    <Section title={title}>
      {lines.length === 0 ? (
        <p className="text-muted">{emptyText}</p>
      ) : (
        <ul className="grid list-disc gap-1.5 pl-5 marker:text-muted">
          {lines.map((line) => (
            <li key={line} className="measure [overflow-wrap:anywhere]">
              {line}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    // Print the heading on the same page as the first lines.
    <section className="grid grid-cols-1 content-start gap-3">
      <h2 className="break-after-avoid text-lg font-semibold">{title}</h2>
      {children}
    </section>
  );
}

interface FollowUpProps {
  changes: readonly string[];
  next: readonly string[];
  requests: readonly string[];
}

/** Shows changes and next steps side by side, and the requests to the client in a box. */
export function FollowUp({ changes, next, requests }: FollowUpProps) {
  return (
    <>
      <div className="grid gap-10 empty:hidden sm:auto-cols-fr sm:grid-flow-col print:auto-cols-fr print:grid-flow-col">
        <Block title="What we changed" lines={changes} />
        <Block title="Next steps" lines={next} />
      </div>
      <div className="rounded-md border border-accent bg-accent-soft p-5 print:bg-transparent">
        <Block title="What we need from you" emptyText="Nothing. We have everything we need." lines={requests} />
      </div>
    </>
  );
}
