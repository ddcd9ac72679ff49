import { createFileRoute } from '@tanstack/react-router';
import { requireSiteHost } from '../../api/host/site-host.ts';
import { createQueryClient } from '../../api/query-client.ts';
import { acceptedAccent } from '../../settings/brand/accent.ts';
import { frameAncestors } from '../../settings/chat-origins.ts';
import { isChatOff, siteSettingsQuery } from '../../settings/site-settings.ts';

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
