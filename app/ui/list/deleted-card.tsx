import { ArchiveRestore, Trash2 } from 'lucide-react';
import { Button } from '../button.tsx';
import { formatTime } from '../lib/format-time.ts';

const RETENTION_MS = 30 * 24 * 60 * 60 * 1000;

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' });

export interface DeletedEntry {
  id: string;
  title: string;
  deletedAt: string;
  deletedBy: string | undefined;
}

interface DeletedCardProps {
  item: DeletedEntry;
  isRestoring: boolean;
  onRestore: () => void;
  onDelete: () => void;
}

/** Card of a deleted item. Shows who deleted it and when, and until when it can be restored. */
export function DeletedCard({ item, isRestoring, onRestore, onDelete }: DeletedCardProps) {
  const { title, deletedAt, deletedBy } = item;
  return (
    <div className="-mr-3 flex items-center gap-3 max-sm:flex-wrap">
      <div className="grid min-w-0 flex-1 grid-cols-1 gap-1 max-sm:basis-3/5">
        <h2 className="line-clamp-2 leading-snug font-medium [overflow-wrap:anywhere]">{title || 'Untitled'}</h2>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">
          Deleted <time dateTime={deletedAt}>{formatTime(deletedAt)}</time>
          <span>{deletedBy !== undefined && ` by ${deletedBy}`}</span>. Permanently deleted on{' '}
          {day.format(Date.parse(deletedAt) + RETENTION_MS)}.
        </p>
      </div>
      <div className="ml-auto flex items-center gap-1">
        <Button variant="secondary" size="sm" aria-label={`Restore ${title}`} loading={isRestoring} onClick={onRestore}>
          <ArchiveRestore aria-hidden="true" />
          Restore
        </Button>
        <Button variant="ghost" size="icon" aria-label={`Delete ${title} permanently`} onClick={onDelete}>
          <Trash2 aria-hidden="true" />
        </Button>
      </div>
    </div>
  );
}
