import type { ReactNode } from 'react';
import { Eyebrow } from '../ui/section-heading.tsx';

interface DashboardFrameProps {
  title: string;
  /** Text around a large heading. Without it, the heading is small, so that the content fits the first screen. */
  intro?: { eyebrow: string; text: string } | undefined;
  /** Buttons at the top right. */
  actions?: ReactNode;
  children: ReactNode;
}

/** Layout of a signed-in page: heading, actions and content. */
export function DashboardFrame({ title, intro, actions, children }: DashboardFrameProps) {
  if (!intro) {
    return (
      <div className="page-grid grid min-h-[70svh] grid-cols-1 content-start gap-4 pt-4 pb-12 lg:gap-6 lg:pt-8 lg:pb-20">
        <h1 className="min-w-0 truncate text-xl font-semibold">{title}</h1>
        {children}
      </div>
    );
  }
  return (
    <div className="page-grid grid min-h-[70svh] content-start gap-10 py-12 lg:py-20">
      <header className="flex flex-wrap items-end justify-between gap-6">
        <div className="grid gap-4">
          <Eyebrow>{intro.eyebrow}</Eyebrow>
          <h1 className="text-display-2">{title}</h1>
          <p className="measure text-muted">{intro.text}</p>
        </div>
        {actions && <div className="flex flex-wrap gap-3">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
