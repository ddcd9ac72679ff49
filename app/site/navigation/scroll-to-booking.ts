/** 'Book a Meeting' in the chat asks the page around it, by a message, to show the booking section. */
import type { AnyRouter } from '@tanstack/react-router';
import { settleAtSection } from '../../ui/lib/settle-scroll.ts';

/** Scrolls to the booking section on every `scroll-to-booking` message that may ask for it. @returns ends it */
export function listenForScrollToBooking(router: AnyRouter): () => void {
  const onMessage = ({ data, source }: MessageEvent<unknown>) => {
    const type = typeof data === 'object' && data !== null && 'type' in data ? data.type : undefined;
    if (type !== 'scroll-to-booking' || !isOurs(source)) return;
    if (document.getElementById('booking')) settleAtSection('booking');
    else void router.navigate({ to: '/', hash: 'booking' });
  };
  window.addEventListener('message', onMessage);
  return () => window.removeEventListener('message', onMessage);
}

/** Tells whether the sender is this window, or one that it embeds or opened. */
function isOurs(source: MessageEventSource | null): boolean {
  if (source === null || !('parent' in source)) return false;
  return source === window || source.parent === window || source.opener === window;
}
