import { clsx } from 'clsx';
import { Eye, EyeOff, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { TrashNotice } from '../../ui/list/trash-notice.tsx';
import { toast } from '../../ui/toast.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { type BulkAction, type BulkResult, bulkMutation } from '../bulk.ts';
import type { ListItem } from '../editing.ts';
import type { ContentKind } from '../kind.ts';
import { bulkResultMessage } from './bulk-result-message.ts';
import { ACTIONS_CLASS, COLUMNS_CLASS, columnWidths } from './list-columns.ts';

interface BulkBarProps {
  kind: ContentKind;
  items: readonly ListItem[];
  selected: readonly ListItem[];
  /** True if the rows start with a drag handle. */
  isMovable: boolean;
  onSelect: (ids: readonly string[]) => void;
}

/** Selects all items on the page and runs bulk actions on the selection. */
export function BulkBar({ kind, items, selected, isMovable, onSelect }: BulkBarProps) {
  const selectAllCheckbox = useRef<HTMLInputElement>(null);
  const [isConfirming, setConfirming] = useState(false);
  const bulk = useMutationWithToasts(bulkMutation(kind), { failure: kind.toasts.updateFailed });
  const isAllSelected = selected.length === items.length;
  const run = (action: BulkAction) =>
    bulk.mutate(
      { action, items: selected },
      {
        onSuccess: (result) => {
          showResult(kind, action, result);
          // Keep failed items selected to show which ones failed.
          onSelect(result.failed.map(({ id }) => id));
          selectAllCheckbox.current?.focus({ preventScroll: true });
        },
        onSettled: () => setConfirming(false),
      },
    );
  return (
    <fieldset
      className={clsx(
        'flex min-h-12 min-w-0 flex-wrap items-center gap-x-4 gap-y-2 rounded-t-lg border-b border-line bg-surface py-1.5 pr-1.5',
        isMovable ? 'pl-1.5 @4xl:pl-10.5' : 'pl-1.5 @4xl:pl-2.5',
        // Keeps the bar visible in long lists.
        selected.length > 0 && 'sticky top-14 z-10',
      )}
    >
      <legend className="sr-only">Bulk actions for {kind.plural}</legend>
      <label className="flex min-h-9 cursor-pointer items-center gap-2.5 pl-2.5 font-mono text-label text-muted">
        <input
          ref={selectAllCheckbox}
          type="checkbox"
          checked={isAllSelected}
          onChange={() => onSelect(isAllSelected ? [] : items.map(({ id }) => id))}
          className="size-4"
        />
        Select all on this page
      </label>
      <p role="status" className="text-sm font-medium">
        {selected.length > 0 && `${selected.length} selected`}
      </p>
      {selected.length > 0 && (
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" size="sm" disabled={bulk.isPending} onClick={() => run('publish')}>
            <Eye aria-hidden="true" />
            Publish
          </Button>
          <Button variant="secondary" size="sm" disabled={bulk.isPending} onClick={() => run('unpublish')}>
            <EyeOff aria-hidden="true" />
            Unpublish
          </Button>
          <Button variant="secondary" size="sm" disabled={bulk.isPending} onClick={() => setConfirming(true)}>
            <Trash2 aria-hidden="true" />
            Delete
          </Button>
        </div>
      )}
      {selected.length === 0 && <Headings item={items[0]} />}
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={selected.length > 1 ? `Delete ${selected.length} ${kind.plural}?` : `Delete ${kind.singular}?`}
        description={
          <>
            Are you sure you want to delete{' '}
            {selected.length > 1 ? `these ${selected.length} ${kind.plural}` : `"${selected[0]?.title ?? ''}"`}? This
            action cannot be undone.
            <TrashNotice count={selected.length} />
          </>
        }
        confirmLabel="Delete"
        destructive
        focusAfter={selectAllCheckbox}
        loading={bulk.isPending}
        onConfirm={() => run('delete')}
      />
    </fieldset>
  );
}

/** Column headings. Hidden from screen readers, which read a label in each cell instead. */
function Headings({ item }: { item: ListItem | undefined }) {
  const headings = Object.keys(item?.columns ?? {});
  return (
    <div aria-hidden="true" className="ml-auto hidden items-center font-mono text-label text-muted @4xl:flex">
      <div style={columnWidths(headings.length)} className={clsx(COLUMNS_CLASS, 'mr-3')}>
        {[...headings, 'Status'].map((heading) => (
          <span key={heading}>{heading}</span>
        ))}
      </div>
      <span className={ACTIONS_CLASS} />
    </div>
  );
}

function showResult(kind: ContentKind, action: BulkAction, result: BulkResult): void {
  const [title, description] = bulkResultMessage(kind, action, result);
  if (result.failed.length > 0) toast.error(title, description);
  else toast.success(title);
}
