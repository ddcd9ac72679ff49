import { type RefObject, useRef } from 'react';
import { focusHeading } from './lib/focus-heading.ts';

/**
 * Restores focus to the opener of a dialog. If the opener was removed, focuses the first available of `focusAfter`, the
 * neighbouring row and the page title. Radix supports only its own triggers.
 */
export function useReturnFocus(focusAfter?: RefObject<HTMLElement | null>) {
  const opener = useRef<Element | null>(null);
  const nextRow = useRef<Element | null>(null);
  return {
    onOpenAutoFocus() {
      // No element has focus if the dialog was opened from a menu, from another dialog or by a shortcut.
      const active = document.activeElement;
      opener.current = active === document.body ? (focusAfter?.current ?? null) : active;
      const row = opener.current?.closest('li, tr');
      nextRow.current = row?.nextElementSibling ?? row?.previousElementSibling ?? null;
    },
    onCloseAutoFocus(event: Event) {
      event.preventDefault();
      const candidates = [
        opener.current,
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
