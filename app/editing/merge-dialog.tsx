import { useId, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { MergeConflict, MergePath } from '../ui/lib/three-way-merge.ts';
import { formatValue, mergeNotice, pathLabel } from './merge-messages.ts';

export interface MergeDialogProps {
  title: string;
  description: string;
  conflicts: readonly MergeConflict[];
  mergedPaths: readonly MergePath[];
  onKeepEditing: () => void;
  onReload: () => void;
  /** Saves the other user's values in the selected fields. */
  onSave: (selectsTheirs: (path: MergePath) => boolean) => void;
}

/** Asks which version of each conflicting field to keep. All other fields are merged automatically. */
export default function MergeDialog(props: MergeDialogProps) {
  const { title, description, conflicts, mergedPaths, onKeepEditing, onReload, onSave } = props;
  const [theirPaths, setTheirPaths] = useState<ReadonlySet<string>>(new Set());
  const choose = (path: string, isTheirs: boolean) => {
    const next = new Set(theirPaths);
    if (isTheirs) next.add(path);
    else next.delete(path);
    setTheirPaths(next);
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onKeepEditing()}
      size="lg"
      title={title}
      description={description}
      footer={
        <>
          <Button variant="secondary" onClick={onKeepEditing}>
            Keep editing
          </Button>
          <Button variant="secondary" onClick={onReload}>
            Discard mine and load theirs
          </Button>
          <Button
            variant={theirPaths.size === 0 ? 'danger' : 'primary'}
            onClick={() => onSave((path) => theirPaths.has(toKey(path)))}
          >
            {theirPaths.size === 0 ? 'Overwrite with mine' : 'Save selection'}
          </Button>
        </>
      }
    >
      <ul className="grid grid-cols-1 gap-6">
        {conflicts.map((conflict) => (
          <li key={toKey(conflict.path)}>
            <Choice
              conflict={conflict}
              isTheirs={theirPaths.has(toKey(conflict.path))}
              onChoose={(isTheirs) => choose(toKey(conflict.path), isTheirs)}
            />
          </li>
        ))}
      </ul>
      {mergedPaths.length > 0 && <p className="mt-5 text-[0.9375rem] text-muted">{mergeNotice(mergedPaths)}</p>}
    </Dialog>
  );
}

function toKey(path: MergePath): string {
  return JSON.stringify(path);
}

interface ChoiceProps {
  conflict: MergeConflict;
  isTheirs: boolean;
  onChoose: (isTheirs: boolean) => void;
}

function Choice({ conflict: { path, theirs, mine }, isTheirs, onChoose }: ChoiceProps) {
  const name = useId();
  const options = [
    { label: 'Theirs', value: theirs, isChosen: isTheirs },
    { label: 'Yours', value: mine, isChosen: !isTheirs },
  ];
  return (
    <fieldset className="grid grid-cols-1 gap-2">
      <legend className="mb-2 font-medium">{pathLabel(path)}</legend>
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        {options.map(({ label, value, isChosen }) => (
          <div key={label} className="grid grid-cols-1 content-start gap-1">
            <label className="flex min-h-9 w-fit cursor-pointer items-center gap-2 text-sm">
              <input
                type="radio"
                name={name}
                checked={isChosen}
                onChange={() => onChoose(label === 'Theirs')}
                className="size-4 accent-accent"
              />
              {label}
            </label>
            <section
              // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll a long text
              tabIndex={0}
              aria-label={`${label}: ${pathLabel(path)}`}
              className="max-h-48 overflow-auto rounded-md border border-line bg-sunken px-3 py-2 text-sm whitespace-pre-wrap [overflow-wrap:anywhere]"
            >
              {value === undefined ? (
                <span className="text-muted">(removed)</span>
              ) : (
                formatValue(value) || <span className="text-muted">(empty)</span>
              )}
            </section>
          </div>
        ))}
      </div>
    </fieldset>
  );
}
