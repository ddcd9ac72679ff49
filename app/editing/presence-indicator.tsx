import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useEffect } from 'react';
import { Badge } from '../ui/badge.tsx';
import { otherEditorsQuery, stopEditing } from './presence.ts';
import { presenceText } from './presence-text.ts';

interface PresenceIndicatorProps {
  /** Name of a content table, `page_content` or `site_settings`. */
  kind: string;
  itemId: string;
}

/** Reports to the server that this form is open, and shows which other users have it open. Does not lock the form. */
export function PresenceIndicator({ kind, itemId }: PresenceIndicatorProps) {
  const { data: names = [] } = useQuery(otherEditorsQuery({ kind, itemId }));
  useEffect(
    () => () => {
      // If the request fails, the presence expires after a minute.
      void stopEditing({ kind, itemId }).catch(() => undefined);
    },
    [kind, itemId],
  );
  return (
    // Render the region even if it is empty. Screen readers announce changes inside a status region, but they do not
    // announce a new region.
    <p role="status" className="min-w-0 empty:sr-only">
      {names.length > 0 && <EditingBadge names={names} />}
    </p>
  );
}

/** Renders a badge such as 'Anna is editing', in the form and on list cards. */
export function EditingBadge({ names }: { names: readonly string[] }) {
  return (
    <Badge tone="warning" className="max-w-full">
      <Pencil aria-hidden="true" className="size-3 shrink-0" />
      <span className="truncate">{presenceText(names)}</span>
    </Badge>
  );
}
