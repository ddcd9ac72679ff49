import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { refusalOf } from '../../../api/error-code.ts';
import { openAndStoreGrant } from '../../../api/gate/grant.ts';
import { Button } from '../../../ui/button.tsx';
import { lazy } from '../../../ui/lazy.tsx';
import { Eyebrow } from '../../../ui/section-heading.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Notice, ToDashboard } from '../../link-notice.tsx';
import { linkedLeadQuery } from '../lead-link.ts';

const AnswerLead = lazy(() => import('./answer-lead.tsx'));

interface LeadPageProps {
  token: string;
  siteName: string;
  /** The link in the email says "Not a fit". The form then starts with the reason. */
  isNotFit: boolean;
}

/**
 * Lead opened through an email link. Mail scanners follow links, so loading the page changes nothing. One click sets the
 * status of the lead.
 */
export function LeadPage({ token, siteName, isNotFit }: LeadPageProps) {
  const { data, error, isPending, isFetching, refetch } = useQuery(linkedLeadQuery(token));
  const linked = data && !('refusal' in data) ? data : undefined;
  const refusal = data && 'refusal' in data ? data.refusal : refusalOf(error);
  const isFound = linked !== undefined;
  useEffect(() => {
    if (isFound) openAndStoreGrant();
  }, [isFound]);
  return (
    <section data-first-screen className="page-grid grid grid-cols-1 content-start gap-6 py-[clamp(2rem,5vw,4rem)]">
      <div>
        <Eyebrow>Lead</Eyebrow>
        <h1 className="mt-4 max-w-3xl text-display-3 [overflow-wrap:anywhere]">
          {linked ? `${siteName} asks what became of a lead for ${linked.client}` : `${siteName} asks about a lead`}
        </h1>
      </div>
      {isPending && <Skeleton className="h-48 max-w-2xl rounded-md" />}
      {(error || refusal !== null) && (
        <Notice>
          <p role="alert">{refusal ?? 'Could not load the lead. Please try again.'}</p>
          <div className="flex flex-wrap gap-3">
            <ToDashboard />
            {refusal === null && (
              <Button variant="secondary" loading={isFetching} onClick={() => void refetch()}>
                Try again
              </Button>
            )}
          </div>
        </Notice>
      )}
      {linked && <AnswerLead token={token} linked={linked} siteName={siteName} startsWithReason={isNotFit} />}
    </section>
  );
}
