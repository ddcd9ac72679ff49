import { formValues } from '../../content/editing.ts';
import { KINDS } from '../../content/kinds.ts';
import type { ReleaseChange, ReleaseProblem } from '../../editing/releases/releases.ts';
import { titleOfChange } from './change-labels.ts';

/**
 * Published items that lack what their form asks for. Each was checked when it was added; since then it may have been merged
 * with what others changed, and rules of forms change with new versions of the site.
 */
export function formProblems(changes: readonly ReleaseChange[], found: readonly ReleaseProblem[]): ReleaseProblem[] {
  return changes.flatMap((change) => {
    const kind = KINDS.find(({ table }) => table === change.kind);
    const isTold = found.some(({ changeId }) => changeId === change.id);
    if (!kind || isTold || change.data?.['status'] !== 'published') return [];
    const checked = kind.schema.safeParse(formValues(kind, change.data));
    if (checked.success) return [];
    const missing = checked.error.issues.map(({ message }) => message).join('. ');
    return [
      {
        changeId: change.id,
        problem: 'refused',
        sentence: `“${titleOfChange(change)}” lacks what its form asks for: ${missing}.`,
        fields: [],
        live: null,
      },
    ];
  });
}
