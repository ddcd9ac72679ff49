import { type ReactNode, useId } from 'react';
import { Card } from '../../ui/card.tsx';

interface AccountSectionProps {
  title: string;
  description: string;
  children: ReactNode;
}

/** One card of the account page. */
export function AccountSection({ title, description, children }: AccountSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Card className="grid gap-5 p-6 sm:p-8">
        <div className="grid gap-1">
          <h2 id={id} className="text-lg font-semibold">
            {title}
          </h2>
          <p className="text-muted">{description}</p>
        </div>
        {children}
      </Card>
    </section>
  );
}
