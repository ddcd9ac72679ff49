import { useNavigate } from '@tanstack/react-router';
import { Button } from '../../ui/button.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { correctReportMutation, type Report } from './reports.ts';

/** Button that creates a correction of a sent report and opens its draft. */
export default function CorrectButton({ report }: { report: Report }) {
  const navigate = useNavigate();
  const correct = useMutationWithToasts(correctReportMutation, { failure: 'Could not create a correction' });
  return (
    <Button
      variant="secondary"
      loading={correct.isPending}
      onClick={() =>
        correct.mutate(report, { onSuccess: (id) => void navigate({ to: '/reports/$id', params: { id } }) })
      }
    >
      Create a correction
    </Button>
  );
}
