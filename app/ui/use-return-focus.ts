import { type RefObject, useRef } from 'react';
import { focusHeading } from './lib/focus-heading.ts';

/**
 * Gives the focus back to what opened a dialog. If that is gone (the row was deleted, say) it goes to `focusAfter`,
 * else to the row that took its place, else to the title of the page: never to nowhere. Radix itself knows only
 * triggers of its own, and these dialogs are opened by the page.
 */
export function useReturnFocus(focusAfter?: RefObject<HTMLElement | null>) {
  const opener = useRef<Element | null>(null);
  const nextRow = useRef<Element | null>(null);
  return {
    onOpenAutoFocus() {
      opener.current = document.activeElement;
      const row = opener.current?.closest('li, tr');
      nextRow.current = row?.nextElementSibling ?? row?.previousElementSibling ?? null;
    },
    onCloseAutoFocus(event: Event) {
      event.preventDefault();
      const candidates = [
        // Nothing had the focus when this followed another dialog or a key.
        opener.current === document.body ? null : opener.current,
        focusAfter?.current,
        nextRow.current?.querySelector('a[href]'),
        nextRow.current?.querySelector('button'),
      ];
      for (const candidate of candidates) {
        if (!(candidate instanceof HTMLElement) || !candidate.isConnected) continue;
        candidate.focus();
        if (document.activeElement === candidate) return;
      }
      focusHeading();
    },
  };
}
