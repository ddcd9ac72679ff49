import type { ReactNode } from 'react';

interface DashboardFrameProps {
  title: string;
  /** Link above the title. */
  back?: ReactNode;
  /** Text below the title. */
  description?: ReactNode;
  /** Buttons at the top right. */
  actions?: ReactNode;
  children: ReactNode;
}

/**
 * Layout of a signed-in page with heading, actions and content. The heading is small, so that more content fits on the
 * first screen.
 */
export function DashboardFrame({ title, back, description, actions, children }: DashboardFrameProps) {
  return (
    <div className="page-grid grid min-h-[70svh] grid-cols-1 content-start gap-4 pt-4 pb-12 lg:gap-6 lg:pt-8 lg:pb-20">
      {back}
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="grid min-w-0 grid-cols-1 gap-1">
          <h1 className="text-display-3 wrap-anywhere">{title}</h1>
          {description && <p className="text-muted wrap-anywhere">{description}</p>}
        </div>
        {actions}
      </header>
      {children}
    </div>
  );
}
