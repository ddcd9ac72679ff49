import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatTime } from '../../ui/lib/format-time.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { deleteLibraryTextMutation, type LibraryText, libraryQuery } from './library.ts';
import { LibraryTextDialog } from './library-text-dialog.tsx';

interface LibraryDialogProps {
  /** Called with the text to copy. If undefined, the button “Use” is hidden. */
  onUse?: (text: LibraryText) => void;
  onClose: () => void;
}

/** Lets the user search, use, edit and delete texts in the library. */
export function LibraryDialog({ onUse, onClose }: LibraryDialogProps) {
  const [{ search, page }, setFilters] = useState<{ search?: string | undefined; page: number }>({ page: 1 });
  const [opened, setOpened] = useState<{ action: 'edit' | 'delete'; text: LibraryText } | null>(null);
  const back = () => setOpened(null);
  const { data, error, isPending, refetch } = useQuery(libraryQuery(search, page));
  const remove = useMutationWithToasts(deleteLibraryTextMutation, {
    success: 'Deleted from the library',
    failure: 'Could not delete the text',
  });
  if (opened?.action === 'edit') {
    return (
      <LibraryTextDialog
        title="Edit text"
        description="Our whole team can use this text. It must not name a client."
        origin={opened.text}
        values={opened.text}
        onClose={back}
      />
    );
  }
  if (opened) {
    return (
      <ConfirmDialog
        open
        onOpenChange={back}
        title="Delete this text?"
        description={`“${opened.text.title}” will be permanently deleted from the library. Approvals based on it are kept.`}
        confirmLabel="Delete"
        destructive
        loading={remove.isPending}
        onConfirm={() => remove.mutate(opened.text.id, { onSettled: back })}
      />
    );
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Text library"
      description="Texts that worked, without clients’ names. Only our team can see them."
      footer={
        <Button variant="secondary" onClick={onClose}>
          {onUse ? 'Back' : 'Close'}
        </Button>
      }
    >
      <div className="grid grid-cols-1 gap-4">
        <SearchBox
          label="Search the library"
          value={search}
          onSearch={(text) => setFilters({ search: text, page: 1 })}
        />
        {isPending && <Skeleton className="h-24 rounded-md" />}
        {error && <LoadError error={error} onRetry={() => void refetch()} />}
        {data?.items.length === 0 && (
          <p className="measure text-muted">
            {search === undefined
              ? 'The library is empty. Open a text that a client approved and choose “Save to library”.'
              : 'No texts match your search.'}
          </p>
        )}
        {data && data.items.length > 0 && (
          <ul aria-label="Texts" className="grid grid-cols-1 divide-y divide-line border-t border-line">
            {data.items.map((text) => (
              <TextRow key={text.id} text={text} onUse={onUse} onOpen={(action) => setOpened({ action, text })} />
            ))}
          </ul>
        )}
        <Pagination page={page} count={data?.count} onPageChange={(next) => setFilters({ search, page: next })} />
      </div>
    </Dialog>
  );
}

interface TextRowProps {
  text: LibraryText;
  onUse: LibraryDialogProps['onUse'];
  onOpen: (action: 'edit' | 'delete') => void;
}

function TextRow({ text, onUse, onOpen }: TextRowProps) {
  const { title, subject, body, note, changed_by, changed_at } = text;
  return (
    <li className="grid grid-cols-1 gap-2 py-4 [overflow-wrap:anywhere]">
      <p className="font-medium">{title}</p>
      <p className="text-sm text-muted">{[changed_by, formatTime(changed_at)].filter(Boolean).join(' · ')}</p>
      {note && <p className="text-sm whitespace-pre-line">{note}</p>}
      <details>
        <summary className="w-fit cursor-pointer rounded-sm text-sm text-muted hover:text-ink">Show the text</summary>
        <div className="grid grid-cols-1 gap-2 pt-2">
          {subject && <p className="font-medium">{subject}</p>}
          <p className="whitespace-pre-wrap">{body}</p>
        </div>
      </details>
      <div className="flex flex-wrap gap-2">
        {onUse && (
          <Button variant="secondary" size="sm" aria-label={`Use ${title}`} onClick={() => onUse(text)}>
            Use
          </Button>
        )}
        <Button variant="ghost" size="sm" aria-label={`Edit ${title}`} onClick={() => onOpen('edit')}>
          Edit
        </Button>
        <Button variant="ghost" size="sm" aria-label={`Delete ${title}`} onClick={() => onOpen('delete')}>
          Delete
        </Button>
      </div>
    </li>
  );
}
