import type { ReactNode } from 'react';
import { Card } from '../ui/card.tsx';

interface ActionCardProps {
  title: string;
  text: string;
  /** Button on the right. */
  children: ReactNode;
}

/** Compact dashboard card with a title, a short text and a button. */
export function ActionCard({ title, text, children }: ActionCardProps) {
  return (
    <Card className="flex flex-wrap items-center justify-between gap-3 px-4 py-2.5 sm:px-5 sm:py-3.5">
      <div className="min-w-0">
        <p className="font-semibold">{title}</p>
        <p className="text-sm text-muted">{text}</p>
      </div>
      {children}
    </Card>
  );
}
