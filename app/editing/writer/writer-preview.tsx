import { clsx } from 'clsx';
import { type RefObject, useMemo, useRef } from 'react';
import { Markdown } from '../../ui/markdown.tsx';
import { splitSections } from './split-sections.ts';
import { useScrollAlong } from './use-scroll-along.ts';
import { useSettledText } from './use-settled-text.ts';

/** Preview tab with the text as it appears on the site. */
export function WriterPreview({ name }: { name: string }) {
  const text = useSettledText(name);
  return <Sections text={text} />;
}

interface PreviewBesideProps {
  name: string;
  area: RefObject<HTMLTextAreaElement | null>;
}

/** Preview beside the text, with synchronised scrolling. */
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

/** Renders each section separately, so that typing in a long text rerenders only one. */
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
