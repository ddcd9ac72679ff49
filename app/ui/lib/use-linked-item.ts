import { useLocation } from '@tanstack/react-router';
import { useCallback } from 'react';

/**
 * Returns the ref of an item that emails link to, such as `/team-dashboard/clients/1#approval-2`. It is scrolled to and
 * focused when it is rendered, because the browser looks for the hash before the item has loaded.
 * @param id of the element; undefined for one that no email links to
 */
export function useLinkedItem(id: string | undefined) {
  const hash = useLocation({ select: (location) => location.hash });
  return useCallback(
    (element: HTMLElement | null) => {
      if (!element || hash === '' || hash !== id) return;
      element.scrollIntoView({ block: 'start' });
      element.focus({ preventScroll: true });
    },
    [hash, id],
  );
}
