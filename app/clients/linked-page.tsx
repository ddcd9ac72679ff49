import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { rejectionMessage } from '../api/error-code.ts';
import { openAndStoreGrant } from '../api/gate/grant.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Eyebrow } from '../ui/section-heading.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { DashboardLink, LINKED_PAGE_CLASS, Notice } from './link-notice.tsx';

interface LinkedPageProps<Linked extends object> {
  /** Kind of item, such as 'Lead'. */
  noun: string;
  query: UseQueryResult<Linked | { refusal: string }>;
  /** Returns the heading. The argument is undefined until the link is opened. */
  heading: (linked?: Linked) => string;
  children: (linked: Linked) => ReactNode;
}

/** Page of a lead or meeting that was opened by email. Loading changes nothing, because mail scanners follow links. */
export function LinkedPage<Linked extends object>({ noun, query, heading, children }: LinkedPageProps<Linked>) {
  const { data, error, isPending, isFetching, refetch } = query;
  const linked = data && !('refusal' in data) ? data : undefined;
  const refusal = data && 'refusal' in data ? data.refusal : rejectionMessage(error);
  const isFound = linked !== undefined;
  useEffect(() => {
    if (isFound) openAndStoreGrant();
  }, [isFound]);
  return (
    <section className={LINKED_PAGE_CLASS}>
      <div>
        <Eyebrow>{noun}</Eyebrow>
        <h1 className="mt-4 text-display-3 [overflow-wrap:anywhere]">{heading(linked)}</h1>
      </div>
      {isPending && <Skeleton className="h-96 rounded-lg" />}
      {(error || refusal !== null) && (
        <Notice>
          <p role="alert">{refusal ?? `Could not load the ${noun.toLowerCase()}. Please try again.`}</p>
          <div className="flex flex-wrap gap-3">
            <DashboardLink />
            {refusal === null && (
              <Button variant="secondary" loading={isFetching} onClick={() => void refetch()}>
                Try again
              </Button>
            )}
          </div>
        </Notice>
      )}
      {linked && <Card className="grid grid-cols-1 p-5 sm:p-8">{children(linked)}</Card>}
    </section>
  );
}
