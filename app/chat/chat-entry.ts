import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { onInPageNavigation } from '../ui/lib/in-page-history.ts';

/** Below this width, the chat covers the screen. */
export const FULL_SCREEN = '(max-width: 767.98px)';

/** Marks the chat's history entry in the router's state object. */
const CHAT_ENTRY_KEY = 'isChat';

/**
 * Stores whether the chat is open. If the chat covers the screen, it has its own history entry, so that Back closes it. The
 * entry bypasses the router, because the router would reload and render the page below.
 */
export function useChatEntry() {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const resolveBack = useRef<() => void>(null);

  useEffect(() => {
    // The entry survives a reload.
    if (isChatEntry()) setOpen(true);
    return onInPageNavigation(router, () => {
      setOpen(isChatEntry());
      resolveBack.current?.();
      resolveBack.current = null;
    });
  }, [router]);

  return {
    isOpen,
    open() {
      setOpen(true);
      if (!window.matchMedia(FULL_SCREEN).matches || isChatEntry()) return;
      // The router patches `history.pushState` and would treat this as a navigation.
      History.prototype.pushState.call(history, { ...history.state, [CHAT_ENTRY_KEY]: true }, '');
    },
    /** @returns promise that resolves when the chat's entry is no longer current, so that a new entry can be added */
    async close() {
      setOpen(false);
      if (!isChatEntry()) return;
      await new Promise<void>((resolve) => {
        resolveBack.current = resolve;
        history.back();
      });
    },
  };
}

function isChatEntry(): boolean {
  return history.state?.[CHAT_ENTRY_KEY] === true;
}
