import type { FieldValues } from 'react-hook-form';
import type { ContentKind, ContentRow } from '../../content/kind.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { fieldLabel } from '../form/field-label.ts';
import { changedByOthers } from './changed-by-others.ts';

/** The second to save: what they want to save, and what stands there now (null: deleted). */
export interface Conflict {
  mine: Record<string, unknown>;
  current: ContentRow | null;
  checked: FieldValues;
}

interface ConflictDialogProps {
  kind: ContentKind;
  opened: ContentRow;
  conflict: Conflict;
  onKeepEditing: () => void;
  onReload: () => void;
  onOverwrite: () => void;
}

/** Says that somebody else was faster, shows what changed, and leaves the decision to the editor. */
export function ConflictDialog({ kind, opened, conflict, onKeepEditing, onReload, onOverwrite }: ConflictDialogProps) {
  const { mine, current } = conflict;
  const changes = current ? changedByOthers(opened, current, mine) : [];
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onKeepEditing()}
      size="lg"
      title={current ? `Somebody else changed this ${kind.one}` : `Somebody else deleted this ${kind.one}`}
      description={
        current
          ? `It was saved ${new Date(current.updated_at).toLocaleString('en-GB')}, after you opened it. Nothing was overwritten and your text is still in the form.`
          : 'Your text is still in the form. You can save it as a new item.'
      }
      footer={
        <>
          <Button variant="secondary" onClick={onKeepEditing}>
            Keep editing
          </Button>
          {current && (
            <Button variant="secondary" onClick={onReload}>
              Discard mine and load theirs
            </Button>
          )}
          <Button variant={current ? 'danger' : 'primary'} onClick={onOverwrite}>
            {current ? 'Overwrite with mine' : `Save as a new ${kind.one}`}
          </Button>
        </>
      }
    >
      <ul className="grid gap-5">
        {changes.map(({ column, theirs, yours }) => (
          <li key={column} className="grid gap-2">
            <h3 className="font-medium">{fieldLabel(column)}</h3>
            <div className="grid gap-3 sm:grid-cols-2">
              <Version label="Theirs" text={theirs} />
              <Version label="Yours" text={yours} />
            </div>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function Version({ label, text }: { label: string; text: string }) {
  return (
    <div className="grid content-start gap-1">
      <p className="font-mono text-label text-muted">{label}</p>
      <pre className="max-h-48 overflow-auto rounded-md border border-line bg-sunken px-3 py-2 font-sans text-sm whitespace-pre-wrap [overflow-wrap:anywhere]">
        {text || <span className="text-muted">(empty)</span>}
      </pre>
    </div>
  );
}
