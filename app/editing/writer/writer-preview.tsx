import { clsx } from 'clsx';
import { type RefObject, useMemo, useRef } from 'react';
import { Markdown } from '../../ui/markdown.tsx';
import { splitSections } from './split-sections.ts';
import { useScrollAlong } from './use-scroll-along.ts';
import { useSettledText } from './use-settled-text.ts';

/** The text as the site shows it, on a tab of its own. */
export function WriterPreview({ name }: { name: string }) {
  const text = useSettledText(name);
  return <Sections text={text} />;
}

interface PreviewBesideProps {
  name: string;
  area: RefObject<HTMLTextAreaElement | null>;
}

/** The same beside the text, scrolling along with it. */
export function PreviewBeside({ name, area }: PreviewBesideProps) {
  const text = useSettledText(name);
  const pane = useRef<HTMLElement>(null);
  useScrollAlong(area, pane, text);
  return (
    <section
      ref={pane}
      aria-label="Preview"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it
      tabIndex={0}
      className="h-0 min-h-full overflow-y-auto overscroll-contain border-l border-line px-5 py-3 focus-visible:-outline-offset-2"
    >
      <Sections text={text} />
    </section>
  );
}

/** Each section renders for itself, so that a key in a long text costs one of them. They look as in one piece. */
function Sections({ text }: { text: string }) {
  const sections = useMemo(() => splitSections(text), [text]);
  if (!text.trim()) return <p className="text-muted">Nothing to preview yet.</p>;
  if (sections.length === 1) return <Markdown text={text} />;
  return (
    <div className="grid gap-[1.1em]">
      {sections.map((section, index) => (
        <Markdown
          // biome-ignore lint/suspicious/noArrayIndexKey: a section has no identity but its place
          key={index}
          text={section.text}
          className={clsx(
            'contents!',
            index > 0 && '[&>h2:first-child]:mt-[0.9em]! [&>h3:first-child]:mt-[0.6em]! [&>h4:first-child]:mt-[0.6em]!',
          )}
        />
      ))}
    </div>
  );
}
