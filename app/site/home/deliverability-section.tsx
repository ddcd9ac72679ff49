import type { Deliverability } from '../../content/pages/deliverability.ts';
import { Drawing } from '../../ui/drawing.tsx';
import { SampleHeading } from './sample-heading.tsx';

/**
 * Bar chart of emails per week. The length of a bar is the number of sent emails, and its filled part the number
 * delivered to the inbox.
 */
export function DeliverabilitySection({ content }: { content: Deliverability }) {
  const maxSent = Math.max(1, ...content.weeks.map(({ sent }) => Number(sent)));
  return (
    <section
      id="deliverability"
      aria-labelledby="deliverability-heading"
      className="section-space border-y border-line bg-sunken"
    >
      <div className="page-grid grid gap-x-12 gap-y-10 lg:grid-cols-12">
        <SampleHeading id="deliverability-heading" content={content} className="lg:col-span-5" />
        <figure className="grid min-w-0 content-start gap-3 lg:col-span-7">
          <ol className="grid gap-3">
            {content.weeks.map((week) => (
              <Week key={week.name} week={week} maxSent={maxSent} />
            ))}
          </ol>
          <figcaption className="font-mono text-label text-muted">
            Filled: reached the inbox. Whole bar: sent in that week.
          </figcaption>
        </figure>
      </div>
    </section>
  );
}

function Week({ week, maxSent }: { week: Deliverability['weeks'][number]; maxSent: number }) {
  const sent = Number(week.sent);
  const inbox = Math.min(Number(week.inbox), sent);
  const length = (count: number) => `${(count / maxSent) * 100}%`;
  return (
    <li className="grid grid-cols-[1fr_auto] gap-x-5 gap-y-1 sm:grid-cols-[5rem_1fr_10.5rem] sm:items-center">
      <span className="text-sm font-medium">{week.name}</span>
      <Drawing
        className="h-7 w-full max-sm:order-1 max-sm:col-span-full"
        shapes={
          `<rect width="${length(sent)}" height="100%" rx="3" fill="var(--line)"/>` +
          `<rect width="${length(inbox)}" height="100%" rx="3" fill="var(--accent)"/>`
        }
      />
      <span className="text-right font-mono text-sm text-muted tabular-nums">
        {inbox} of {sent} · <span className="text-ink">{sent > 0 ? Math.round((inbox / sent) * 100) : 0}%</span>
      </span>
    </li>
  );
}
