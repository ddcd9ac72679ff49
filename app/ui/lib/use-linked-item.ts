import { useLocation } from '@tanstack/react-router';
import { useCallback } from 'react';

/**
 * Returns a ref for an item that emails link to, such as `/team-dashboard/clients/1#approval-2`. Scrolls to the item
 * and focuses it when it is rendered, because the browser handles the hash before the item has loaded.
 * @param id of the element, or undefined if no email links to it
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
