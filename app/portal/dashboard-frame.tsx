import type { ReactNode } from 'react';
import { Eyebrow } from '../ui/section-heading.tsx';

interface DashboardFrameProps {
  eyebrow: string;
  title: string;
  description: string;
  /** Buttons at the top right. */
  actions?: ReactNode;
  children: ReactNode;
}

/** Heading, actions and content of a signed-in page. */
export function DashboardFrame({ eyebrow, title, description, actions, children }: DashboardFrameProps) {
  return (
    <div className="page-grid grid min-h-[70svh] content-start gap-10 py-12 lg:py-20">
      <header className="flex flex-wrap items-end justify-between gap-6">
        <div className="grid gap-4">
          <Eyebrow>{eyebrow}</Eyebrow>
          <h1 className="text-display-2">{title}</h1>
          <p className="measure text-muted">{description}</p>
        </div>
        {actions && <div className="flex flex-wrap gap-3">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
