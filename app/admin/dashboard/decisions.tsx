import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Decision, decisionsQuery } from '../../accounts/registrations.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { messageOf } from '../../ui/show-error.ts';
import { useUndoRejection } from './use-undo-rejection.ts';

/** Decisions shown before 'Show more'. */
const INITIAL_COUNT = 3;

/** Lists decisions about registrations. Rejections can be undone. */
export function Decisions() {
  const { data: decisions, error } = useQuery(decisionsQuery);
  const [isExpanded, setExpanded] = useState(false);
  if (!error && !decisions?.length) return null;
  const visibleDecisions = isExpanded ? decisions : decisions?.slice(0, INITIAL_COUNT);
  const hiddenCount = (decisions?.length ?? 0) - (visibleDecisions?.length ?? 0);
  return (
    <section aria-labelledby="decisions-heading" className="grid gap-4">
      <h2 id="decisions-heading" className="text-lg font-semibold">
        Decisions
      </h2>
      {error && <p className="text-muted">The decisions could not be loaded: {messageOf(error)}</p>}
      {visibleDecisions && (
        <Card className="p-0">
          <ul className="divide-y divide-line">
            {visibleDecisions.map((decision) => (
              <DecisionRow key={decision.id} decision={decision} />
            ))}
          </ul>
        </Card>
      )}
      {hiddenCount > 0 && (
        <Button variant="ghost" size="sm" className="justify-self-start" onClick={() => setExpanded(true)}>
          Show {hiddenCount} more
        </Button>
      )}
    </section>
  );
}

function DecisionRow({ decision }: { decision: Decision }) {
  const { userId, email, approved, revoked, decidedBy, decidedAt, withdrawn, canRestore } = decision;
  const undoRejection = useUndoRejection();
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 px-5 py-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
          <span className="min-w-0 [overflow-wrap:anywhere]">{email}</span>
          <Badge tone={approved ? 'accent' : 'neutral'}>
            {approved ? 'Approved' : revoked ? 'Access revoked' : 'Declined'}
          </Badge>
        </p>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">
          By {decidedBy}, <RelativeTime at={decidedAt} />
        </p>
        {withdrawn && (
          <p className="text-sm text-muted [overflow-wrap:anywhere]">
            Undone by {withdrawn.by}, <RelativeTime at={withdrawn.at} />
          </p>
        )}
      </div>
      {canRestore && userId && (
        <Button
          size="sm"
          variant="secondary"
          loading={undoRejection.isPending}
          aria-label={`Restore ${email}`}
          onClick={() => undoRejection.mutate({ userId, email })}
        >
          Restore
        </Button>
      )}
    </li>
  );
}
