import { ChevronLeft, ChevronRight } from 'lucide-react';
import { ButtonLink, buttonClass } from '../../ui/button.tsx';

interface PaginationProps {
  page: number;
  pages: number;
  kind: string;
}

export function Pagination({ page, pages, kind }: PaginationProps) {
  return (
    <nav aria-label="Pages" className="flex items-center justify-between gap-3">
      <PageLink kind={kind} to={page - 1} enabled={page > 1}>
        <ChevronLeft aria-hidden="true" />
        Previous
      </PageLink>
      <p className="font-mono text-label text-muted">
        Page {page} of {pages}
      </p>
      <PageLink kind={kind} to={page + 1} enabled={page < pages}>
        Next
        <ChevronRight aria-hidden="true" />
      </PageLink>
    </nav>
  );
}

interface PageLinkProps {
  kind: string;
  to: number;
  enabled: boolean;
  children: React.ReactNode;
}

function PageLink({ kind, to, enabled, children }: PageLinkProps) {
  const look = { variant: 'secondary', size: 'sm' } as const;
  if (!enabled) {
    return (
      <span aria-hidden="true" className={buttonClass(look, 'opacity-40')}>
        {children}
      </span>
    );
  }
  return (
    <ButtonLink
      {...look}
      to="/admin/$kind"
      params={{ kind }}
      search={(search) => ({ ...search, page: to > 1 ? to : undefined })}
    >
      {children}
    </ButtonLink>
  );
}
