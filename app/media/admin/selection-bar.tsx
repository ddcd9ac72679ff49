import { FolderInput, Trash2 } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { formatFileCount } from './file-labels.ts';

interface SelectionBarProps {
  count: number;
  isAll: boolean;
  onSelectAll: (isAll: boolean) => void;
  onMove: () => void;
  onDelete: () => void;
}

/** Renders the checkbox for all files, and the actions for the selected files. */
export function SelectionBar({ count, isAll, onSelectAll, onMove, onDelete }: SelectionBarProps) {
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-2">
      <label className="inline-flex items-center gap-2.5 text-[0.9375rem]">
        <input
          type="checkbox"
          checked={isAll}
          onChange={(event) => onSelectAll(event.target.checked)}
          className="size-5"
        />
        Select all on this page
      </label>
      {count > 0 && (
        <div className="flex flex-wrap items-center gap-2">
          <p role="status" className="mr-1 text-sm text-muted">
            {formatFileCount(count)} selected
          </p>
          <Button size="sm" variant="secondary" onClick={onMove}>
            <FolderInput aria-hidden="true" />
            Move
          </Button>
          <Button size="sm" variant="secondary" onClick={onDelete}>
            <Trash2 aria-hidden="true" />
            Delete
          </Button>
        </div>
      )}
    </div>
  );
}
