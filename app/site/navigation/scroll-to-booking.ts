/**
 * Handles the message that the chat's 'Book a Meeting' button sends to the parent page.
 */
import type { AnyRouter } from '@tanstack/react-router';
import { scrollToSection } from '../../ui/lib/stable-scroll.ts';

/**
 * Scrolls to the booking section on each `scroll-to-booking` message from an allowed sender.
 *
 * @returns unsubscribe
 */
export function listenForScrollToBooking(router: AnyRouter): () => void {
  const onMessage = ({ data, source }: MessageEvent<unknown>) => {
    const type = typeof data === 'object' && data !== null && 'type' in data ? data.type : undefined;
    if (type !== 'scroll-to-booking' || !isAllowedSender(source)) return;
    if (document.getElementById('booking')) scrollToSection('booking');
    else void router.navigate({ to: '/', hash: 'booking' });
  };
  window.addEventListener('message', onMessage);
  return () => window.removeEventListener('message', onMessage);
}

/** Returns whether the sender is this window, an embedded frame, or a window that this window opened. */
function isAllowedSender(source: MessageEventSource | null): boolean {
  if (source === null || !('parent' in source)) return false;
  return source === window || source.parent === window || source.opener === window;
}
