import { createFileRoute } from '@tanstack/react-router';
import { requireSiteHost } from '../../api/host/site-host.ts';
import { createQueryClient } from '../../api/query-client.ts';
import { acceptedAccent } from '../../settings/brand/accent.ts';
import { frameAncestors } from '../../settings/chat-origins.ts';
import { isChatOff, siteSettingsQuery } from '../../settings/site-settings.ts';

/**
 * Page that /embed.js loads in a hidden frame. It sends `chat-available` with the brand colour, or `chat-unavailable`
 * if the chat is off. Browsers do not load the page on sites that are not allowed.
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
