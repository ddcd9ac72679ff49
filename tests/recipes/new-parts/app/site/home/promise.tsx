import type { PromiseContent } from '../../content/pages/promise.ts';
import { SectionHeading } from '../../ui/section-heading.tsx';

export function PromiseSection({ content: { heading, text } }: { content: PromiseContent }) {
  return (
    <section aria-labelledby="promise-heading" className="page-grid section-space">
      <SectionHeading id="promise-heading" heading={heading} description={text} />
    </section>
  );
}
