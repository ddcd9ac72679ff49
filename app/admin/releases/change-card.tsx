import { Pencil, X } from 'lucide-react';
import { useState } from 'react';
import type { StoredRow } from '../../editing/document.ts';
import { fieldDifferences } from '../../editing/history/field-differences.ts';
import {
  type ReleaseChange,
  type ReleaseProblem,
  removeChangeMutation,
  resolveConflictMutation,
} from '../../editing/releases/releases.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { formatTime } from '../../ui/lib/format-time.ts';
import { TextDifference } from '../../ui/text-difference.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { kindLabel } from '../entity-labels.ts';
import { actionBadge, changeTitle } from './change-labels.ts';
import { EditChangeLink } from './edit-change-link.tsx';

interface ChangeCardProps {
  change: ReleaseChange;
  /** Undefined if the account was deleted. */
  authorName: string | undefined;
  problem: ReleaseProblem | undefined;
  /** True until the release is published. */
  isOpen: boolean;
}

/** Renders a change in a release with its action, problem and differences. */
export function ChangeCard({ change, authorName, problem, isOpen }: ChangeCardProps) {
  const { label, tone } = actionBadge(change);
  const title = changeTitle(change);
  return (
    <Card className="grid grid-cols-1 gap-4 px-5 py-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="grid min-w-0 gap-1">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h2 className="min-w-0 font-medium [overflow-wrap:anywhere]">{title}</h2>
            <Badge tone={tone}>{label}</Badge>
          </div>
          <p className="text-sm text-muted [overflow-wrap:anywhere]">
            {kindLabel(change.kind)} · saved {formatTime(change.changed_at)}
            <span>{authorName && ` by ${authorName}`}</span>
          </p>
        </div>
        {isOpen && (
          <div className="flex flex-wrap gap-2">
            {change.action !== 'delete' && (
              <EditChangeLink change={change} label={title}>
                <Pencil aria-hidden="true" />
                Edit
              </EditChangeLink>
            )}
            <RemoveButton id={change.id} title={title} />
          </div>
        )}
      </div>
      {problem && <Problem change={change} problem={problem} />}
      <Differences change={change} isOpen={isOpen} />
    </Card>
  );
}

function RemoveButton({ id, title }: { id: string; title: string }) {
  const remove = useMutationWithToasts(removeChangeMutation, {
    success: 'Removed from the release',
    failure: 'Could not remove the change',
  });
  return (
    <Button
      variant="secondary"
      size="sm"
      aria-label={`Remove ${title}`}
      loading={remove.isPending}
      onClick={() => remove.mutate(id)}
      icon={X}
    >
      Remove
    </Button>
  );
}

/** Shows a conflict and, if there is a choice, asks for a decision. */
function Problem({ change, problem }: { change: ReleaseChange; problem: ReleaseProblem }) {
  const resolve = useMutationWithToasts(resolveConflictMutation, {
    success: 'Decision saved',
    failure: 'Could not save the decision',
  });
  const choices = CHOICES[problem.problem]?.(change) ?? [];
  const liveValues = problem.live ? pickFields(problem.fields, problem.live) : null;
  const releaseValues =
    change.data && problem.problem === 'conflict' ? pickFields(problem.fields, change.data) : change.base;
  return (
    <section aria-label="Problem" className="grid grid-cols-1 gap-3 rounded-md bg-warning-soft p-4">
      <p className="text-[0.9375rem] font-medium [overflow-wrap:anywhere]">{problem.message}</p>
      {liveValues && (
        <FieldList
          kind={change.kind}
          before={liveValues}
          after={releaseValues && pickFields(problem.fields, releaseValues)}
          labels={
            problem.problem === 'conflict' && change.action !== 'delete'
              ? ['On the site', 'In the release']
              : ['On the site', 'When added to the release']
          }
        />
      )}
      {choices.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {choices.map(({ keep, label }) => (
            <Button
              key={keep}
              variant="secondary"
              size="sm"
              loading={resolve.isPending && resolve.variables.keep === keep}
              onClick={() => resolve.mutate({ changeId: change.id, keep, live: problem.live })}
            >
              {label}
            </Button>
          ))}
        </div>
      )}
    </section>
  );
}

interface Choice {
  keep: 'release' | 'site';
  label: string;
}

/** Choices that do not need a form. Removing and editing are separate buttons. */
const CHOICES: Partial<Record<ReleaseProblem['problem'], (change: ReleaseChange) => Choice[]>> = {
  conflict: ({ action }) =>
    action === 'delete'
      ? [
          { keep: 'release', label: 'Delete it anyway' },
          { keep: 'site', label: 'Keep it' },
        ]
      : [
          { keep: 'release', label: 'Publish the release’s version' },
          { keep: 'site', label: 'Keep the site’s version' },
        ],
  edited: () => [{ keep: 'release', label: 'Publish the current version' }],
  gone: () => [{ keep: 'release', label: 'Publish as a new item' }],
};

function pickFields(fields: readonly string[], row: StoredRow): StoredRow {
  return Object.fromEntries(Object.entries(row).filter(([field]) => fields.includes(field)));
}

/** Renders the differences. They are collapsed by default, because a release may contain hundreds of long texts. */
function Differences({ change, isOpen }: { change: ReleaseChange; isOpen: boolean }) {
  const [isShown, setShown] = useState(false);
  const [before, after] = isOpen ? [change.base, change.data] : [change.before, change.after];
  const fields = fieldDifferences(change.kind, before, after).map(({ label }) => label);
  if (fields.length === 0) return <p className="text-sm text-muted">No visible changes.</p>;
  return (
    <details onToggle={(event) => setShown(event.currentTarget.open)}>
      <summary className="cursor-pointer text-sm text-muted hover:text-ink">
        <span className="[overflow-wrap:anywhere]">
          {before && after ? `Changes: ${shortList(fields)}` : 'Content'}
        </span>
      </summary>
      <div className="pt-4">
        {isShown && <FieldList kind={change.kind} before={before} after={after} labels={['Before', 'After']} />}
      </div>
    </details>
  );
}

/** Shortens a list of fields, such as 'Title, Excerpt, Content and 4 more'. */
function shortList(fields: readonly string[]): string {
  const [visibleFields, hiddenCount] = [fields.slice(0, 4), fields.length - 4];
  return hiddenCount > 0 ? `${visibleFields.join(', ')} and ${hiddenCount} more` : visibleFields.join(', ');
}

interface FieldListProps {
  kind: string;
  before: StoredRow | null;
  after: StoredRow | null;
  labels: readonly [before: string, after: string];
}

function FieldList({ kind, before, after, labels }: FieldListProps) {
  return (
    <ul className="grid grid-cols-1 gap-5">
      {fieldDifferences(kind, before, after).map((field) => (
        <li key={field.label} className="grid grid-cols-1 gap-2">
          <h3 className="text-[0.9375rem] font-medium [overflow-wrap:anywhere]">{field.label}</h3>
          <TextDifference before={field.before} after={field.after} labels={labels} />
        </li>
      ))}
    </ul>
  );
}
