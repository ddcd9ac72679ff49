import { Link } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import { Card } from './card.tsx';

export interface LinkCardProps {
  to: string;
  icon: LucideIcon;
  title: string;
  text: string;
}

/** Card that links to another screen. */
export function LinkCard({ to, icon: Icon, title, text }: LinkCardProps) {
  return (
    <Link to={to} className="block h-full rounded-lg">
      <Card className="grid h-full grid-cols-[auto_minmax(0,1fr)] content-start gap-x-3.5 gap-y-0.5 p-4 transition-colors duration-150 hover:border-line-strong hover:bg-sunken">
        <Icon aria-hidden="true" className="row-span-2 mt-0.5 size-5 text-accent" />
        <span className="font-semibold">{title}</span>
        <span className="text-sm text-muted">{text}</span>
      </Card>
    </Link>
  );
}
