import { type ReactNode, useId } from 'react';
import { Card } from '../../ui/card.tsx';

interface AccountSectionProps {
  title: string;
  description: string;
  children: ReactNode;
}

/** Card of the account page. On wide screens its description is on the left. */
export function AccountSection({ title, description, children }: AccountSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="@container">
      <Card className="grid grid-cols-1 gap-x-10 gap-y-5 p-6 sm:p-8 @3xl:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <div className="grid content-start gap-1">
          <h2 id={id} className="text-lg font-semibold">
            {title}
          </h2>
          <p className="text-muted">{description}</p>
        </div>
        <div className="grid min-w-0 grid-cols-1 content-start gap-5">{children}</div>
      </Card>
    </section>
  );
}
