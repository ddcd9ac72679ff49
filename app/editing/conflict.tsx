import { LoadFailure, lazy } from '../ui/lazy.tsx';
import type { ConflictDialogProps } from './conflict-dialog.tsx';
import type { Editing } from './use-document.ts';

const ConflictDialog = lazy<ConflictDialogProps>(() => import('./conflict-dialog.tsx'), {
  Failed: ConflictFailed,
});

/** Resolves a conflict after someone else saved the same fields or deleted the document. */
export function Conflict({ editing }: { editing: Editing }) {
  const { conflict } = editing;
  return conflict && <ConflictDialog editing={editing} conflict={conflict} />;
}

function ConflictFailed({ editing, onRetry }: ConflictDialogProps & { onRetry: () => void }) {
  return <LoadFailure onRetry={onRetry} onClose={editing.keepEditing} />;
}
