import { createFileRoute, useHydrated } from '@tanstack/react-router';
import { useContext } from 'react';
import { DocumentPolicy } from '../../api/host/page-policy.ts';
import { BrandLogoContext } from '../../settings/brand/brand-logo.ts';
import { frameAncestors } from '../../settings/chat-origins.ts';
import { getChatOffers, isChatOff, siteSettingsQuery } from '../../settings/site-settings.ts';
import { ChatFrame } from '../chat-frame.tsx';
import { FRAME_ID, type FramedChat } from '../framed-chat.ts';
import { directivesForLogoOnly } from './logo-policy.ts';

/** Standalone chat, which the sites in chat_allowed_origins can embed. */
export const Route = createFileRoute('/_gate/chat-embed')({
  loader: async ({ context: { queryClient } }) => {
    const [settings, ancestors] = await Promise.all([
      queryClient.ensureQueryData(siteSettingsQuery),
      frameAncestors(queryClient),
    ]);
    return {
      siteName: settings.site_name,
      isOff: isChatOff(settings),
      offers: getChatOffers(settings),
      frameAncestors: ancestors,
    };
  },
  // Replaces the root's CSP, and sets the allowed embedding sites. The server adds the remaining directives.
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

/**
 * Renders the chat with the data for its own hydration script. Behind the gate, the router renders it in the browser.
 */
function ChatEmbed() {
  const { siteName, isOff, offers } = Route.useLoaderData();
  const isReady = useHydrated();
  const framed: FramedChat = {
    siteName,
    isOff,
    offers,
    logo: useContext(BrandLogoContext),
    policy: useContext(DocumentPolicy),
  };
  return (
    <div id={FRAME_ID} data-chat={JSON.stringify(framed)}>
      <ChatFrame chat={framed} isReady={isReady} />
    </div>
  );
}
