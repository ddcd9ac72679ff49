import { clsx } from 'clsx';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  /** Icon for an empty list. Omit it for searches without results and for errors. */
  icon?: LucideIcon;
  title: string;
  description?: ReactNode;
  /** Button or link for the first step. */
  action?: ReactNode;
  className?: string;
}

/** Placeholder of an empty list with a title, a description and a first step. */
export function EmptyState({ icon: Icon, title, description, action, className }: EmptyStateProps) {
  return (
    <div
      className={clsx(
        'grid justify-items-center gap-2 rounded-lg border border-dashed border-line-strong px-6 py-14 text-center',
        className,
      )}
    >
      {Icon && (
        <span className="mb-2 grid size-14 place-items-center rounded-full bg-accent-soft text-accent">
          <Icon aria-hidden="true" className="size-6" />
        </span>
      )}
      <p className="text-lg font-semibold text-balance">{title}</p>
      {description && <p className="max-w-[46ch] text-balance text-muted">{description}</p>}
      {action && <div className="mt-4 flex flex-wrap justify-center gap-3">{action}</div>}
    </div>
  );
}
