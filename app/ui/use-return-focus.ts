import { type RefObject, useRef } from 'react';
import { focusHeading } from './lib/focus-heading.ts';

/**
 * Restores focus to the opener of a dialog. If it was removed, focuses `focusAfter`, else the row in its place, else
 * the page title. Radix supports only its own triggers.
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
        // Nothing had focus if it was opened by another dialog or a shortcut.
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
