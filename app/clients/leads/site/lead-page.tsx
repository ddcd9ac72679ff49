import { useQuery } from '@tanstack/react-query';
import { lazy } from '../../../ui/lazy.tsx';
import { LinkedPage } from '../../linked-page.tsx';
import { linkedLeadQuery } from '../lead-link.ts';

const AnswerLead = lazy(() => import('./answer-lead.tsx'));

interface LeadPageProps {
  token: string;
  siteName: string;
  /** True if the person clicked "Not a fit" in the email. The form then asks for the reason. */
  isNotFit: boolean;
}

/** Lead opened through an email link. One click sets the status of the lead. */
export function LeadPage({ token, siteName, isNotFit }: LeadPageProps) {
  return (
    <LinkedPage
      noun="Lead"
      query={useQuery(linkedLeadQuery(token))}
      heading={(linked) =>
        linked
          ? `${siteName} asks ${linked.client} ${linked.lead.status === 'new' ? 'to answer a new lead' : 'about the status of a lead'}`
          : `${siteName} asks about a lead`
      }
    >
      {(linked) => <AnswerLead token={token} linked={linked} siteName={siteName} startsWithReason={isNotFit} />}
    </LinkedPage>
  );
}
