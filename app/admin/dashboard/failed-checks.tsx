import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { failedChecksQuery } from '../../data/chat/assistant-checks.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';

/** Says that the assistant no longer answers as its test box asks; nothing while it does. */
export function FailedChecks() {
  const { data: failed = 0 } = useQuery(failedChecksQuery);
  if (failed === 0) return null;
  return (
    <Card className="flex flex-wrap items-center gap-x-6 gap-y-3 p-5">
      <p role="status" className="flex min-w-0 flex-1 basis-60 items-center gap-3">
        <TriangleAlert aria-hidden="true" className="size-5 shrink-0 text-danger" />
        {failed === 1
          ? 'The assistant answers one question of its test box wrongly.'
          : `The assistant answers ${failed} questions of its test box wrongly.`}
      </p>
      <ButtonLink to="/admin/conversations/checks" size="sm" variant="secondary">
        Open the test box
      </ButtonLink>
    </Card>
  );
}
