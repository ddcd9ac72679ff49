import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useEffect } from 'react';
import { Badge } from '../ui/badge.tsx';
import { otherEditorsQuery, stopEditing } from './presence.ts';
import { editingSentence } from './presence-sentence.ts';

interface EditingSignProps {
  /** The table of content, page_content or site_settings. */
  kind: string;
  itemId: string;
}

/** Tells the others that this form is open, and shows who else has it open. Nothing is locked. */
export function EditingSign({ kind, itemId }: EditingSignProps) {
  const { data: names = [] } = useQuery(otherEditorsQuery({ kind, itemId }));
  useEffect(
    () => () => {
      // Without a network the sign goes by itself a minute later.
      void stopEditing({ kind, itemId }).catch(() => undefined);
    },
    [kind, itemId],
  );
  return (
    // Rendered while empty: screen readers announce changes of a status, not its arrival.
    <p role="status" className="min-w-0 empty:sr-only">
      {names.length > 0 && <EditingBadge names={names} />}
    </p>
  );
}

/** 'Anna is editing', in the form and on the card of a list. */
export function EditingBadge({ names }: { names: readonly string[] }) {
  return (
    <Badge tone="warning" className="max-w-full">
      <Pencil aria-hidden="true" className="size-3 shrink-0" />
      <span className="truncate">{editingSentence(names)}</span>
    </Badge>
  );
}
