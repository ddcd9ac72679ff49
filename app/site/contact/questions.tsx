import { ChevronDown } from 'lucide-react';
import type { PublishedQuestion } from '../../content/faq/published.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { SectionHeading } from '../../ui/section-heading.tsx';

/** Collapsible questions. Native `details` elements work without JavaScript. */
export default function Questions({ heading, questions }: { heading: string; questions: PublishedQuestion[] }) {
  return (
    <section
      id="questions"
      aria-labelledby="questions-heading"
      className="section-space scroll-mt-16 border-t border-line"
    >
      <div className="page-grid grid gap-x-12 gap-y-10 lg:grid-cols-12">
        <SectionHeading id="questions-heading" heading={heading} className="lg:col-span-4" />
        <ul className="border-t border-line-strong lg:col-span-8">
          {questions.map(({ id, question, answer, pictures }) => (
            <li key={id} className="border-b border-line">
              <details className="group">
                <summary className="flex min-h-14 cursor-pointer list-none items-baseline justify-between gap-6 rounded-sm py-5 text-lg leading-snug font-medium wrap-anywhere hover:text-accent [&::-webkit-details-marker]:hidden">
                  {question}
                  <ChevronDown
                    aria-hidden="true"
                    className="size-5 shrink-0 translate-y-1 text-muted transition-transform duration-200 group-open:rotate-180"
                  />
                </summary>
                <Markdown
                  text={answer}
                  pictures={pictures}
                  topLevel={3}
                  mayReload
                  className="pb-7 text-muted wrap-anywhere"
                />
              </details>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
