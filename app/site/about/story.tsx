import type { Story as StoryContent } from '../../content/pages/story.ts';

/** Chapters of the company story. Renders nothing if the list is empty. */
export function Story({ content: { heading, chapters } }: { content: StoryContent }) {
  if (chapters.length === 0) return null;
  return (
    <section aria-labelledby="story-heading" className="border-y border-line bg-surface py-[clamp(3.5rem,7vw,7rem)]">
      <div className="page-grid grid gap-x-12 gap-y-10 lg:grid-cols-12">
        <h2 id="story-heading" className="text-display-3 lg:sticky lg:top-28 lg:col-span-3 lg:self-start">
          {heading}
        </h2>
        <ol className="grid gap-12 lg:col-span-9">
          {chapters.map(({ year, title, text }) => (
            <li key={`${year} ${title}`} className="grid gap-x-8 gap-y-3 sm:grid-cols-[5rem_1fr]">
              <p className="pt-1.5 font-mono text-label text-accent">{year}</p>
              <div className="grid gap-3">
                <h3 className="text-display-3 wrap-anywhere">{title}</h3>
                <p className="measure text-lead text-muted wrap-anywhere">{text}</p>
              </div>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
