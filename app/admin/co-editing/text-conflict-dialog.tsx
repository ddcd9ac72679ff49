import { lazyPiece, PieceFailure } from '../../ui/lazy-piece.tsx';
import type { MergeDialogProps } from './merge-dialog.tsx';
import type { TextSave } from './use-text-save.ts';

const MergeDialog = lazyPiece<MergeDialogProps>(() => import('./merge-dialog.tsx'), { Failed: PieceFailure });

interface TextConflictDialogProps<Content> {
  /** 'section' or 'setting'. */
  one: string;
  saving: TextSave<Content>;
}

/** Asks about what two people changed in the same field of a section or setting. */
export function TextConflictDialog<Content>({ one, saving }: TextConflictDialogProps<Content>) {
  const { conflict, keepEditing, decide, loadTheirs } = saving;
  if (!conflict) return null;
  return (
    <MergeDialog
      title={`Somebody else changed this ${one}`}
      description="They saved after you opened it. Nothing was overwritten and your text is still in the form. You both changed what follows: choose what stays."
      conflicts={conflict.merge.conflicts}
      taken={conflict.merge.taken}
      onKeepEditing={keepEditing}
      onReload={loadTheirs}
      onSave={(takesTheirs) => void decide(takesTheirs)}
    />
  );
}
