import type { ReactNode } from 'react';
import { usePageTitle } from '../lib/use-page-title.ts';

interface ScreenHeaderProps {
  title: string;
  /** What the browser calls the page, where that says more than the title. */
  page?: string;
  description?: ReactNode;
  /** The main action, at the right. */
  action?: ReactNode;
}

/** The title of an admin page with its main action. */
export function ScreenHeader({ title, page = title, description, action }: ScreenHeaderProps) {
  usePageTitle(`${page} · Admin`);
  return (
    <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="grid min-w-0 grid-cols-1 gap-1">
        <h1 className="text-display-3 [overflow-wrap:anywhere]">{title}</h1>
        {description && <p className="text-muted">{description}</p>}
      </div>
      {action}
    </header>
  );
}
