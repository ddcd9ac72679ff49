import { createFileRoute, useHydrated } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { ChatPanel } from '../../chat/chat-panel.tsx';
import { askForBooking, isBookingLink } from '../../chat/scroll-to-booking.ts';
import { frameAncestors } from '../../data/chat/chat-origins.ts';
import { chatOffersOf, isChatOff, siteSettingsQuery } from '../../data/settings/site-settings.ts';
import { directivesForLogoOnly } from '../../lib/page-policy.ts';
import { buttonClass } from '../../ui/button.tsx';

/** The chat alone, to be framed by other sites: those in chat_allowed_origins. */
export const Route = createFileRoute('/_gate/chat-embed')({
  loader: async ({ context: { queryClient } }) => {
    const [settings, ancestors] = await Promise.all([
      queryClient.ensureQueryData(siteSettingsQuery),
      frameAncestors(queryClient),
    ]);
    return {
      siteName: settings.site_name,
      isOff: isChatOff(settings),
      offers: chatOffersOf(settings),
      frameAncestors: ancestors,
    };
  },
  // In place of the root's, and who may frame the chat. The server adds the rest of the policy.
  headers: ({ loaderData, matches }) => ({
    'content-security-policy': [
      directivesForLogoOnly(matches),
      `frame-ancestors ${loaderData?.frameAncestors ?? "'self'"}`,
    ].join('; '),
  }),
  head: ({ loaderData }) => ({
    meta: [{ title: `Chat with ${loaderData?.siteName ?? 'us'}` }, { name: 'robots', content: 'noindex' }],
  }),
  component: ChatEmbed,
});

function ChatEmbed() {
  const { isOff } = Route.useLoaderData();
  return isOff ? <ClosedChat /> : <OpenChat />;
}

/** Stands in a frame that was made, or an address that was kept, before the chat was switched off. */
function ClosedChat() {
  useEffect(() => window.parent.postMessage({ type: 'chat-unavailable' }, '*'), []);
  return (
    <main className="grid h-dvh place-content-center gap-2 p-6 text-center">
      <h1 className="font-semibold">The chat is closed at the moment.</h1>
      <a href="/contact" target="_blank" className={buttonClass({ variant: 'link' })} rel="noopener">
        Write to us
      </a>
    </main>
  );
}

function OpenChat() {
  const { siteName, offers } = Route.useLoaderData();
  const input = useRef<HTMLTextAreaElement>(null);
  const [isFramed, setFramed] = useState(false);
  const [greeting, setGreeting] = useState('');
  const isReady = useHydrated();

  useEffect(() => {
    setFramed(window.parent !== window);
    // In the fragment, so that the server keeps one page for all of them.
    setGreeting(new URLSearchParams(window.location.hash.slice(1)).get('greeting')?.slice(0, 300) ?? '');
  }, []);

  useEffect(() => {
    if (isReady) input.current?.focus({ preventScroll: true });
  }, [isReady]);

  function close() {
    window.parent.postMessage({ type: 'close-chat' }, '*');
  }

  function book() {
    if (window.parent !== window) askForBooking();
    // Opened on its own, there is no page around it with a booking section.
    else window.location.assign('/#booking');
  }

  return (
    <main className="h-dvh" onKeyDown={(event) => event.key === 'Escape' && isFramed && close()}>
      <h1 className="sr-only">Chat with {siteName}</h1>
      {/* Before the page's script runs, Enter would only make a new line and the buttons would do nothing. */}
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
