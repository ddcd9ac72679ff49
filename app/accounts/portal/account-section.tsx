import { type ReactNode, useId } from 'react';
import { Card } from '../../ui/card.tsx';

/** Titled card on the account page, with a row for each section. */
export function AccountGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-1 gap-3">
      <h2 className="text-lg font-semibold">{title}</h2>
      <Card className="@container grid grid-cols-1 divide-y divide-line px-5 sm:px-6">{children}</Card>
    </div>
  );
}

interface AccountSectionProps {
  title: string;
  description: string;
  children: ReactNode;
}

/** Row on the account page. On wide screens, its description is on the left. */
export function AccountSection({ title, description, children }: AccountSectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid grid-cols-1 gap-x-10 gap-y-4 py-5 @2xl:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] @2xl:py-6"
    >
      <div className="grid content-start gap-1">
        <h3 id={id} className="font-semibold">
          {title}
        </h3>
        <p className="text-sm text-muted">{description}</p>
      </div>
      <div className="grid min-w-0 grid-cols-1 content-start gap-4">{children}</div>
    </section>
  );
}
