import { useEffect, useRef, useState } from 'react';
import { buttonClass } from '../ui/button.tsx';
import { ChatPanel } from './chat-panel.tsx';
import type { FramedChat } from './framed-chat.ts';
import { isBookingLink, requestBooking } from './scroll-to-booking.ts';

interface ChatFrameProps {
  chat: FramedChat;
  /** True once the script runs. */
  isReady: boolean;
}

/** Standalone chat for embedding in other sites. */
export function ChatFrame(props: ChatFrameProps) {
  return props.chat.isOff ? <ClosedChat /> : <OpenChat {...props} />;
}

/** Shown in open frames and at saved URLs after the chat has been disabled. */
function ClosedChat() {
  useEffect(() => window.parent.postMessage({ type: 'chat-unavailable' }, '*'), []);
  return (
    <main className="grid h-dvh place-content-center gap-2 p-6 text-center">
      <h1 className="font-semibold">The chat is currently closed.</h1>
      <a href="/contact" target="_blank" className={buttonClass({ variant: 'link' })} rel="noopener">
        Write to us
      </a>
    </main>
  );
}

function OpenChat({ chat: { siteName, offers }, isReady }: ChatFrameProps) {
  const input = useRef<HTMLTextAreaElement>(null);
  const [isFramed, setFramed] = useState(false);
  const [greeting, setGreeting] = useState('');

  useEffect(() => {
    setFramed(window.parent !== window);
    // The greeting is in the fragment, so that one cached page serves all greetings.
    setGreeting(new URLSearchParams(window.location.hash.slice(1)).get('greeting')?.slice(0, 300) ?? '');
  }, []);

  useEffect(() => {
    if (isReady) input.current?.focus({ preventScroll: true });
  }, [isReady]);

  function close() {
    window.parent.postMessage({ type: 'close-chat' }, '*');
  }

  function book() {
    if (window.parent !== window) requestBooking();
    // The chat is open in its own tab, so there is no host page with a booking section.
    else window.location.assign('/#booking');
  }

  return (
    <main
      className="mx-auto h-dvh max-w-form border-line md:border-x"
      onKeyDown={(event) => event.key === 'Escape' && isFramed && close()}
    >
      <h1 className="sr-only">Chat with {siteName}</h1>
      {/* Before hydration, Enter would only add a line break and the buttons would do nothing. */}
      <fieldset disabled={!isReady} className="contents">
        <ChatPanel
          siteName={siteName}
          greeting={greeting}
          offers={offers}
          input={input}
          onBook={book}
          onFollow={(link) => (isBookingLink(link) ? book() : window.open(link, '_blank', 'noopener'))}
          onClose={isFramed ? close : null}
        />
      </fieldset>
    </main>
  );
}
