import { clsx } from 'clsx';
import { CircleAlert, Info, Lightbulb, type LucideIcon, OctagonAlert, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Callout as Kind } from './lib/markdown.ts';

const STYLES: Record<Kind, { title: string; Icon: LucideIcon; box: string; head: string }> = {
  note: { title: 'Note', Icon: Info, box: 'border-line-strong bg-sunken', head: 'text-ink' },
  tip: { title: 'Tip', Icon: Lightbulb, box: 'border-accent bg-accent-soft', head: 'text-accent' },
  important: { title: 'Important', Icon: CircleAlert, box: 'border-signal bg-signal-soft', head: 'text-signal' },
  warning: { title: 'Warning', Icon: TriangleAlert, box: 'border-warning bg-warning-soft', head: 'text-warning' },
  caution: { title: 'Caution', Icon: OctagonAlert, box: 'border-danger bg-danger-soft', head: 'text-danger' },
};

/** Highlighted text with an icon and a label for its kind, such as Note or Warning. */
export function Callout({ kind, children }: { kind: Kind; children: ReactNode }) {
  const { title, Icon, box, head } = STYLES[kind];
  return (
    <div role="note" className={clsx('measure rounded-md border-l-4 px-5 py-4 text-ink', box)}>
      <p className={clsx('mb-2 flex items-center gap-2 text-[0.9375rem] leading-snug font-semibold', head)}>
        <Icon aria-hidden="true" className="size-[1.15em] shrink-0" />
        {title}
      </p>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">{children}</div>
    </div>
  );
}
