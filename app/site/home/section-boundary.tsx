import type { ReactNode } from 'react';
import { Button, buttonClass } from '../../ui/button.tsx';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';

interface SectionBoundaryProps {
  /** Contact email shown in the fallback. */
  email: string;
  children: ReactNode;
}

/** Error boundary for home page sections. Its fallback offers contact options that work without further code. */
export function SectionBoundary({ email, children }: SectionBoundaryProps) {
  return (
    <ErrorBoundary
      fallback={(onRetry) => (
        <section aria-label="Not available" className="page-grid grid gap-4 py-16">
          <p role="alert" className="measure text-lead">
            This part of the page could not be shown. To write to us or to propose a time for a call, use the contact
            page or send an email.
          </p>
          <div className="flex flex-wrap gap-3">
            <Button onClick={onRetry}>Try again</Button>
            <a href="/contact" className={buttonClass({ variant: 'secondary' })}>
              Contact page
            </a>
            <a href={`mailto:${email}`} className={buttonClass({ variant: 'link' }, 'wrap-anywhere')}>
              {email}
            </a>
          </div>
        </section>
      )}
    >
      {children}
    </ErrorBoundary>
  );
}
