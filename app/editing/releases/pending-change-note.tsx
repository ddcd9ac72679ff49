import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Layers } from 'lucide-react';
import { formatTime } from '../../ui/lib/format-time.ts';
import { pendingChangesQuery } from './releases.ts';

interface PendingChangeNoteProps {
  kind: string;
  itemId: string;
  /** Singular noun for messages: 'post', 'section', 'setting'. */
  singular: string;
}

/** Shows a note in the form of an item that has a pending change. */
export function PendingChangeNote({ kind, itemId, singular }: PendingChangeNoteProps) {
  const { data = [] } = useQuery({
    ...pendingChangesQuery(kind),
    select: (changes) => changes.filter(({ item_id }) => item_id === itemId),
  });
  return data.map(({ id, action, release }) => (
    <p key={id} className="flex items-start gap-2 rounded-md border border-line bg-sunken px-4 py-3 text-[0.9375rem]">
      <Layers aria-hidden="true" className="mt-1 size-4 shrink-0 text-muted" />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <span>
          {action === 'delete'
            ? `This ${singular} will be deleted by`
            : `There is a pending change to this ${singular} in`}
        </span>{' '}
        the release{' '}
        <Link
          to="/admin/releases/$id"
          params={{ id: release.id }}
          className="text-accent underline decoration-line-strong underline-offset-4 hover:decoration-current"
        >
          {release.name}
        </Link>
        <span>{release.publish_at && `, planned for ${formatTime(release.publish_at)}`}</span>.
      </span>
    </p>
  ));
}
