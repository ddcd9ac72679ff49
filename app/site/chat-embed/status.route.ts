import { createFileRoute } from '@tanstack/react-router';
import { acceptedAccent } from '../../brand/accent.ts';
import { createQueryClient } from '../../data/api/query-client.ts';
import { frameAncestors } from '../../data/chat/chat-origins.ts';
import { isChatOff, siteSettingsQuery } from '../../data/settings/site-settings.ts';
import { requireSiteHost } from '../../host/site-host.ts';

/**
 * Page that /embed.js frames before it shows its launcher: it says `chat-available` and the site's colour to the page
 * around it, or `chat-unavailable` while the chat is switched off. Where the browser refuses the frame it says nothing.
 */
export const Route = createFileRoute('/chat-embed/status')({
  server: {
    handlers: {
      GET: async () => {
        const queryClient = createQueryClient();
        const [settings, ancestors] = await Promise.all([
          queryClient.fetchQuery(siteSettingsQuery),
          requireSiteHost().gate ? "'self'" : frameAncestors(queryClient),
        ]);
        const message = isChatOff(settings)
          ? `{ type: 'chat-unavailable' }`
          : `{ type: 'chat-available', color: '${acceptedAccent(settings.brand_accent)}' }`;
        return new Response(
          `<!doctype html><html lang="en"><meta name="robots" content="noindex"><title>Chat</title><script>parent.postMessage(${message}, '*')</script></html>`,
          {
            headers: {
              'content-type': 'text/html; charset=utf-8',
              'content-security-policy': `frame-ancestors ${ancestors}`,
            },
          },
        );
      },
    },
  },
});
