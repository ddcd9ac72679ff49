import type { Handover } from '../../content/pages/handover.ts';
import { SampleHeading } from './sample-heading.tsx';

/** Checklist of the deliverables at handover. */
export function HandoverSection({ content }: { content: Handover }) {
  return (
    <section id="handover" aria-labelledby="handover-heading" className="section-space border-t border-line">
      <div className="page-grid grid gap-x-12 gap-y-10 lg:grid-cols-12">
        <SampleHeading id="handover-heading" content={content} className="lg:col-span-5" />
        <ol className="border-t border-line-strong lg:col-span-7">
          {content.items.map(({ name, detail }, index) => (
            <li key={name} className="grid grid-cols-[auto_1fr] gap-x-5 gap-y-1 border-b border-line py-5">
              <span aria-hidden="true" className="font-mono text-label text-muted">
                {String(index + 1).padStart(2, '0')}
              </span>
              <div className="grid gap-1">
                <h3 className="text-lg font-semibold wrap-anywhere">{name}</h3>
                <p className="text-[0.9375rem] text-muted wrap-anywhere">{detail}</p>
              </div>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
