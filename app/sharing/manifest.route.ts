import { createFileRoute } from '@tanstack/react-router';
import { createQueryClient } from '../data/query-client.ts';
import { siteSettingDefaults } from '../data/site-settings/read.ts';
import { siteSettingsQuery } from '../data/site-settings.ts';
import { LIGHT } from '../lib/brand.ts';
import { requireSiteHost } from '../lib/site-host.ts';

export const Route = createFileRoute('/site.webmanifest')({
  server: {
    handlers: {
      GET: async () => {
        // Behind the gate the name is all that is told, and it is the built-in one.
        const settings = requireSiteHost().gate
          ? siteSettingDefaults
          : await createQueryClient().fetchQuery(siteSettingsQuery);
        const manifest = {
          name: settings.site_name,
          short_name: settings.site_name,
          start_url: '/',
          display: 'browser',
          background_color: LIGHT.canvas,
          theme_color: LIGHT.accent,
          icons: [
            { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
            { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
            { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
          ],
        };
        return new Response(JSON.stringify(manifest), { headers: { 'content-type': 'application/manifest+json' } });
      },
    },
  },
});
