import { useQuery } from '@tanstack/react-query';
import { ListChecks, Play, Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { CardList } from '../../ui/list/card-list.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import {
  type AssistantCheck,
  checksQuery,
  deleteCheckMutation,
  MAX_CHECKS,
  runChecksMutation,
} from '../assistant-checks.ts';
import { CheckCard } from './check-card.tsx';
import { CheckDialog } from './check-dialog.tsx';
import { ConversationsHeader } from './conversations-header.tsx';

/** Lists the checks with their last results. */
export function Checks() {
  const list = useQuery(checksQuery);
  const { data: checks } = list;
  const [editing, setEditing] = useState<AssistantCheck | 'new' | null>(null);
  const [deleting, setDeleting] = useState<AssistantCheck | null>(null);
  const remove = useMutationWithToasts(deleteCheckMutation, {
    success: 'Check deleted successfully',
    failure: 'Could not delete the check',
  });
  const add = checks && checks.length < MAX_CHECKS && (
    <Button onClick={() => setEditing('new')}>
      <Plus aria-hidden="true" />
      New check
    </Button>
  );
  return (
    <div className="grid grid-cols-1 gap-6">
      <ConversationsHeader
        page="Test box"
        description="Each question is sent to the built-in assistant, even if a language model answers visitors."
        action={checks && checks.length > 0 && add}
      />
      {checks && checks.length > 0 && <Summary checks={checks} />}
      <CardList
        query={list}
        loading="Loading checks..."
        empty={
          <EmptyState
            icon={ListChecks}
            title="No checks yet"
            description="Add a question and what a correct answer must mention. It is asked again whenever published content changes."
            action={add}
          />
        }
      >
        {(check) => <CheckCard check={check} onEdit={() => setEditing(check)} onDelete={() => setDeleting(check)} />}
      </CardList>
      {editing && <CheckDialog check={editing === 'new' ? undefined : editing} onClose={() => setEditing(null)} />}
      {deleting && (
        <ConfirmDialog
          open
          onOpenChange={(open) => !open && setDeleting(null)}
          title="Delete check?"
          description={`Are you sure you want to delete "${deleting.question}"? This action cannot be undone.`}
          confirmLabel="Delete"
          destructive
          loading={remove.isPending}
          onConfirm={() => remove.mutate(deleting.id, { onSettled: () => setDeleting(null) })}
        />
      )}
    </div>
  );
}

/** Shows the result of the last run, with a button that runs the checks again. */
function Summary({ checks }: { checks: AssistantCheck[] }) {
  const run = useMutationWithToasts(runChecksMutation, {
    success: ({ checked, failed }) => `The test box has run: ${formatResult(checked, failed)}`,
    failure: 'Could not run the checks',
  });
  const failedCount = checks.filter(({ passed }) => passed === false).length;
  const last = checks
    .flatMap(({ ran_at }) => ran_at ?? [])
    .sort()
    .at(-1);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <p role="status" className="text-muted">
        {last === undefined ? (
          'Not run yet.'
        ) : (
          <>
            Last run <RelativeTime at={last} />: {formatResult(checks.length, failedCount)}.
          </>
        )}
      </p>
      <Button size="sm" variant="secondary" loading={run.isPending} onClick={() => run.mutate()} icon={Play}>
        Run now
      </Button>
    </div>
  );
}

function formatResult(checked: number, failed: number): string {
  return failed === 0 ? 'all checks passed' : `${failed} of ${checked} checks failed`;
}
