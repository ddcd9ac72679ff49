import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { onMoveInPage } from '../ui/lib/in-page-history.ts';

/** Below this width the chat fills the screen. */
export const FULL_SCREEN = '(max-width: 767.98px)';

/** The mark of the chat's entry in the browser's history, beside what the router keeps there. */
const MARK = 'isChat';

/**
 * Holds whether the chat is open. On a screen that it fills, it is an entry of its own in the browser's history,
 * because there Back means closing it. The router never hears of that entry: it would load and draw the page again
 * beneath the chat.
 */
export function useChatEntry() {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const whenBack = useRef<() => void>(null);

  useEffect(() => {
    // A reload leaves the entry where it is.
    if (isChatEntry()) setOpen(true);
    return onMoveInPage(router, () => {
      setOpen(isChatEntry());
      whenBack.current?.();
      whenBack.current = null;
    });
  }, [router]);

  return {
    isOpen,
    open() {
      setOpen(true);
      if (!window.matchMedia(FULL_SCREEN).matches || isChatEntry()) return;
      // The router replaces pushState of this page's history by its own.
      History.prototype.pushState.call(history, { ...history.state, [MARK]: true }, '');
    },
    /** @returns when the chat's entry is no longer the current one, so that the next one may be made */
    async close() {
      setOpen(false);
      if (!isChatEntry()) return;
      await new Promise<void>((resolve) => {
        whenBack.current = resolve;
        history.back();
      });
    },
  };
}

function isChatEntry(): boolean {
  return history.state?.[MARK] === true;
}
