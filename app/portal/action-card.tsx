import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { Card } from '../ui/card.tsx';

interface ActionCardProps {
  title: string;
  text: string;
  /** Hides the text on phones, so that three cards fit in a row. */
  isNarrow?: boolean;
  /** Button on the right. */
  children: ReactNode;
}

/** Compact dashboard card with a title, a short text and a button. */
export function ActionCard({ title, text, isNarrow = false, children }: ActionCardProps) {
  return (
    <Card
      className={clsx(
        'flex flex-wrap items-center justify-between gap-x-3 py-2.5 sm:gap-y-3 sm:px-5 sm:py-3.5',
        isNarrow ? 'gap-y-1.5 px-2 max-sm:justify-center max-sm:text-sm' : 'gap-y-3 px-4',
      )}
    >
      <div className="min-w-0">
        <p className="font-semibold">{title}</p>
        <p className={clsx('text-sm text-muted', isNarrow && 'max-sm:hidden')}>{text}</p>
      </div>
      {children}
    </Card>
  );
}
