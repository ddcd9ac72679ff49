import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';

/** Surface with a border. Add padding with `className`. */
export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={clsx('rounded-lg border border-line bg-surface', className)} />;
}

interface TitledCardProps {
  title: string;
  children: ReactNode;
}

export function TitledCard({ title, children }: TitledCardProps) {
  return (
    <section>
      <Card className="grid grid-cols-1 gap-4 p-5">
        <h2 className="text-lg font-semibold">{title}</h2>
        {children}
      </Card>
    </section>
  );
}
