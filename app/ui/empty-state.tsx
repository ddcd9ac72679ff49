import { clsx } from 'clsx';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  title: string;
  description?: ReactNode;
  /** The button or link that ends the emptiness. */
  action?: ReactNode;
  className?: string;
}

/** Stands in for an empty list: still water, one sentence, and the way on. */
export function EmptyState({ title, description, action, className }: EmptyStateProps) {
  return (
    <div
      className={clsx(
        'grid justify-items-center gap-2 rounded-lg border border-dashed border-line-strong px-6 py-14 text-center',
        className,
      )}
    >
      <svg viewBox="0 0 120 48" fill="none" aria-hidden="true" className="mb-3 w-30 text-line-strong">
        <circle cx="60" cy="14" r="7" fill="var(--signal)" opacity="0.9" />
        <path d="M4 28h112M22 35h76M40 42h40" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
      </svg>
      <p className="text-lg font-semibold">{title}</p>
      {description && <p className="max-w-[46ch] text-muted">{description}</p>}
      {action && <div className="mt-4 flex flex-wrap justify-center gap-3">{action}</div>}
    </div>
  );
}
