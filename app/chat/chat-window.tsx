import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { getChatOffers, siteSettingsQuery } from '../settings/site-settings.ts';
import { FULL_SCREEN } from './chat-entry.ts';
import { ChatPanel } from './chat-panel.tsx';
import { isBookingLink, requestBooking } from './scroll-to-booking.ts';

interface ChatWindowProps {
  siteName: string;
  open: boolean;
  /** @returns promise that resolves when the chat is closed and navigation is possible */
  onClose: () => Promise<void>;
}

/** Chat on this site's pages. Stays mounted when closed, so that a running reply continues. */
export default function ChatWindow({ siteName, open, onClose }: ChatWindowProps) {
  const router = useRouter();
  const { data: settings } = useQuery(siteSettingsQuery);
  const input = useRef<HTMLTextAreaElement>(null);
  const frame = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!open) return;
    // Handled in visits/count-visits.ts. A shared module for the event name would add a chunk for every visitor.
    window.dispatchEvent(new Event('signalfjord:chat-opened'));
    input.current?.focus({ preventScroll: true });
    const screen = window.matchMedia(FULL_SCREEN);
    const lockPage = () => document.documentElement.classList.toggle('overflow-hidden', screen.matches);
    lockPage();
    screen.addEventListener('change', lockPage);
    return () => {
      screen.removeEventListener('change', lockPage);
      document.documentElement.classList.remove('overflow-hidden');
    };
  }, [open]);

  async function closeOnPhone() {
    if (window.matchMedia(FULL_SCREEN).matches) await onClose();
  }

  async function book() {
    await closeOnPhone();
    requestBooking();
  }

  async function follow(link: URL) {
    if (isBookingLink(link)) return book();
    if (link.origin !== window.location.origin) return void window.open(link, '_blank', 'noopener');
    await closeOnPhone();
    void router.navigate({ href: link.pathname + link.search + link.hash });
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' && !event.nativeEvent.isComposing) void onClose();
    if (event.key === 'Tab' && frame.current && window.matchMedia(FULL_SCREEN).matches) trapFocus(event, frame.current);
  }

  return (
    <div
      ref={frame}
      role="dialog"
      aria-label={`Chat with ${siteName}`}
      hidden={!open}
      onKeyDown={onKeyDown}
      className="fixed inset-0 z-40 h-dvh animate-rise overflow-hidden border-line bg-surface md:inset-auto md:right-6 md:bottom-6 md:h-[min(56rem,100dvh-3rem)] md:w-[clamp(25rem,30vw,34rem)] low:md:bottom-2 low:md:h-[calc(100dvh-1rem)] md:rounded-lg md:border md:shadow-lg print:hidden"
    >
      <ChatPanel
        siteName={siteName}
        offers={settings ? getChatOffers(settings) : { leads: false, calls: false }}
        input={input}
        onBook={book}
        onFollow={follow}
        onClose={onClose}
      />
    </div>
  );
}

/** Traps the focus on phones, where the page behind is not visible. */
function trapFocus(event: KeyboardEvent, frame: HTMLElement) {
  const focusable = [
    ...frame.querySelectorAll<HTMLElement>(
      'a[href], button:enabled, textarea:enabled, input:enabled:not([tabindex="-1"])',
    ),
  ];
  const [first, last] = [focusable[0], focusable.at(-1)];
  const edge = event.shiftKey ? first : last;
  if (document.activeElement !== edge) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
}
