import { formValues } from '../../content/editing.ts';
import { KINDS } from '../../content/kinds.ts';
import type { ReleaseChange, ReleaseProblem } from '../../editing/releases/releases.ts';
import { changeTitle } from './change-labels.ts';

/**
 * Finds items that would be published with invalid fields. An item was valid when it was added to the release. A later
 * merge, or a software update with stricter validation rules, can make it invalid.
 */
export function formProblems(changes: readonly ReleaseChange[], problems: readonly ReleaseProblem[]): ReleaseProblem[] {
  return changes.flatMap((change) => {
    const kind = KINDS.find(({ table }) => table === change.kind);
    const isReported = problems.some(({ changeId }) => changeId === change.id);
    if (!kind || isReported || change.data?.['status'] !== 'published') return [];
    const result = kind.schema.safeParse(formValues(kind, change.data));
    if (result.success) return [];
    const messages = result.error.issues.map(({ message }) => message).join('. ');
    return [
      {
        changeId: change.id,
        problem: 'refused',
        message: `“${changeTitle(change)}” cannot be published. ${messages}.`,
        fields: [],
        live: null,
      },
    ];
  });
}
