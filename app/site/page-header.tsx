import type { ReactNode } from 'react';
import type { Header } from '../content/pages/headers.ts';
import { Eyebrow } from '../ui/section-heading.tsx';

interface PageHeaderProps {
  eyebrow: string;
  header: Header;
  /** Content at the right on wide screens. */
  children?: ReactNode;
}

/** Header of all public pages except the home page. */
export function PageHeader({ eyebrow, header, children }: PageHeaderProps) {
  return (
    <header className="page-grid pt-[clamp(3rem,7vw,7rem)] pb-[clamp(2.5rem,5vw,5rem)]">
      <Eyebrow>{eyebrow}</Eyebrow>
      <div className="mt-6 grid items-end gap-x-12 gap-y-6 lg:grid-cols-12">
        <h1 className="text-display-2 wrap-anywhere lg:col-span-8 lg:text-[clamp(3rem,5vw,5rem)]">{header.title}</h1>
        <p className="max-w-[46ch] text-lead text-muted lg:col-span-4 lg:pb-2">{header.description}</p>
      </div>
      {children}
    </header>
  );
}
