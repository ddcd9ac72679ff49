import { useNavigate } from '@tanstack/react-router';
import { Button } from '../../ui/button.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { correctReportMutation, type Report } from './reports.ts';

/** Begins the report that corrects one that was sent. */
export default function CorrectButton({ report }: { report: Report }) {
  const navigate = useNavigate();
  const correct = useMutationWithToasts(correctReportMutation, { failure: 'Error beginning a correction' });
  return (
    <Button
      variant="secondary"
      loading={correct.isPending}
      onClick={() =>
        correct.mutate(report, { onSuccess: (id) => void navigate({ to: '/reports/$id', params: { id } }) })
      }
    >
      Correct with a new report
    </Button>
  );
}
