import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { PAGE_SIZE } from '../api/paging.ts';
import { Button, ButtonLink, buttonClass } from './button.tsx';

interface PaginationProps {
  page: number;
  /** Total number of items. Renders nothing if they fit on one page. */
  count: number | undefined;
  /** Called with the new page, for screens that do not store the page in the URL. */
  onPageChange?: (page: number) => void;
}

/** Links to the previous and next page. By default the page is `page` in the URL. */
export function Pagination({ page, count = 0, onPageChange }: PaginationProps) {
  const pages = Math.ceil(count / PAGE_SIZE);
  if (pages <= 1) return null;
  return (
    <nav aria-label="Pages" className="flex items-center justify-between gap-3">
      <PageLink to={page - 1} enabled={page > 1} onPageChange={onPageChange}>
        <ChevronLeft aria-hidden="true" />
        Previous
      </PageLink>
      <p className="font-mono text-label text-muted">
        Page {page} of {pages}
      </p>
      <PageLink to={page + 1} enabled={page < pages} onPageChange={onPageChange}>
        Next
        <ChevronRight aria-hidden="true" />
      </PageLink>
    </nav>
  );
}

interface PageLinkProps {
  to: number;
  enabled: boolean;
  onPageChange: PaginationProps['onPageChange'];
  children: ReactNode;
}

function PageLink({ to, enabled, onPageChange, children }: PageLinkProps) {
  const buttonProps = { variant: 'secondary', size: 'sm' } as const;
  if (!enabled) {
    return (
      <span aria-hidden="true" className={buttonClass(buttonProps, 'opacity-40')}>
        {children}
      </span>
    );
  }
  if (onPageChange) {
    return (
      <Button {...buttonProps} onClick={() => onPageChange(to)}>
        {children}
      </Button>
    );
  }
  return (
    <ButtonLink {...buttonProps} to="." search={(search) => ({ ...search, page: to > 1 ? to : undefined })}>
      {children}
    </ButtonLink>
  );
}
