import { clsx } from 'clsx';
import type { ReactNode } from 'react';

interface SectionHeadingProps {
  /** Two or three words in the mono font above the heading. */
  eyebrow?: string;
  heading: ReactNode;
  /** Supporting sentence. */
  description?: ReactNode;
  /** h1 for the page header, h2 for a section. */
  as?: 'h1' | 'h2';
  align?: 'start' | 'center';
  /** Id of the heading, for aria-labelledby. */
  id?: string;
  className?: string;
}

export function SectionHeading(props: SectionHeadingProps) {
  const { eyebrow, heading, description, as: Heading = 'h2', align = 'start', id, className } = props;
  return (
    <div className={clsx('grid gap-5', align === 'center' && 'justify-items-center text-center', className)}>
      {eyebrow && <Eyebrow>{eyebrow}</Eyebrow>}
      <Heading id={id} className={clsx('max-w-[20ch]', Heading === 'h1' ? 'text-display-1' : 'text-display-2')}>
        {heading}
      </Heading>
      {description && <p className="max-w-[56ch] text-lead text-muted">{description}</p>}
    </div>
  );
}

/** Label in the mono font with a short line before it. */
export function Eyebrow({ children }: { children: ReactNode }) {
  return (
    <p className="flex items-center gap-2 font-mono text-label text-balance text-muted uppercase max-sm:tracking-normal sm:gap-3">
      {/* The line is hidden on narrow phones, because it does not fit beside a long tagline. */}
      <span aria-hidden="true" className="h-px w-4 shrink-0 bg-accent max-[23.5rem]:hidden sm:w-8" />
      {children}
    </p>
  );
}
