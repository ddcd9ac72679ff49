import { useQuery } from '@tanstack/react-query';
import { lazy } from '../../../ui/lazy.tsx';
import { LinkedPage } from '../../linked-page.tsx';
import { linkedMeetingQuery } from '../result-link.ts';

const AnswerResult = lazy(() => import('./answer-result.tsx'));

interface ResultPageProps {
  token: string;
  siteName: string;
}

/** Held meeting opened through an email link, with the form for its result. */
export function ResultPage({ token, siteName }: ResultPageProps) {
  return (
    <LinkedPage
      noun="Meeting"
      query={useQuery(linkedMeetingQuery(token))}
      heading={(linked) =>
        linked ? `${siteName} asks ${linked.client} about the result of a meeting` : `${siteName} asks about a meeting`
      }
    >
      {(linked) => <AnswerResult token={token} linked={linked} siteName={siteName} />}
    </LinkedPage>
  );
}
