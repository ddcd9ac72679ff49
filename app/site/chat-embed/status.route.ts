import { createFileRoute } from '@tanstack/react-router';
import { createQueryClient } from '../../data/api/query-client.ts';
import { frameAncestors } from '../../data/chat/chat-origins.ts';
import { isChatAvailable } from '../../data/chat/chat-status.ts';
import { siteSettingsQuery } from '../../data/settings/site-settings.ts';
import { acceptedAccent } from '../../lib/accent.ts';
import { requireSiteHost } from '../../lib/site-host.ts';

/**
 * Page that /embed.js frames before it shows its launcher: it says `chat-available` and the site's colour to the page
 * around it, unless the browser refuses the frame there, or the chat is switched off.
 */
export const Route = createFileRoute('/chat-embed/status')({
  server: {
    handlers: {
      GET: async () => {
        const queryClient = createQueryClient();
        const [ancestors, isAvailable] = requireSiteHost().gate
          ? ["'self'", true]
          : await Promise.all([frameAncestors(queryClient), isChatAvailable()]);
        const color = acceptedAccent((await queryClient.fetchQuery(siteSettingsQuery)).brand_accent);
        const message = `{ type: 'chat-available', color: '${color}' }`;
        const script = isAvailable ? `<script>parent.postMessage(${message}, '*')</script>` : '';
        return new Response(
          `<!doctype html><html lang="en"><meta name="robots" content="noindex"><title>Chat</title>${script}</html>`,
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
