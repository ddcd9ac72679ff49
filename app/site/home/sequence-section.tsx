import type { Sequence } from '../../content/pages/sequence.ts';
import { SampleHeading } from './sample-heading.tsx';

/** Shows emails in order, each with the reason why it is sent. */
export function SequenceSection({ content }: { content: Sequence }) {
  return (
    <section id="sequence" aria-labelledby="sequence-heading" className="section-space">
      <div className="page-grid grid gap-[clamp(2rem,5vw,4rem)]">
        <SampleHeading id="sequence-heading" content={content} />
        <ol className="border-t border-line-strong">
          {content.mails.map(({ day, subject, text, reason }) => (
            <li
              key={`${day} ${subject}`}
              className="grid grid-cols-1 gap-x-8 gap-y-4 border-b border-line py-6 md:py-9 lg:grid-cols-12"
            >
              <p className="font-mono text-label text-muted lg:col-span-2">{day}</p>
              <div className="grid content-start gap-3 rounded-lg border border-line bg-surface p-6 lg:col-span-6">
                <h3 className="text-lg font-semibold wrap-anywhere">{subject}</h3>
                <p className="wrap-anywhere">{text}</p>
              </div>
              <div className="border-l-2 border-accent pl-6 lg:col-span-4">
                <p className="font-mono text-label text-muted">Why it is sent</p>
                <p className="mt-2 text-[0.9375rem] text-muted wrap-anywhere">{reason}</p>
              </div>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
