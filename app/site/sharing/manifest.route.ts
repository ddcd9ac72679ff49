import { createFileRoute } from '@tanstack/react-router';
import { createQueryClient } from '../../api/query-client.ts';
import { acceptedAccent } from '../../settings/brand/accent.ts';
import { LIGHT } from '../../settings/brand/brand.ts';
import { brandVersion } from '../../settings/brand/brand-style.ts';
import { siteSettingsQuery } from '../../settings/site-settings.ts';

/** Served even while the gate is closed, because the gate page shows the same data. */
export const Route = createFileRoute('/site.webmanifest')({
  server: {
    handlers: {
      GET: async () => {
        const settings = await createQueryClient().fetchQuery(siteSettingsQuery);
        const version = await brandVersion(settings);
        const manifest = {
          name: settings.site_name,
          short_name: settings.site_name,
          start_url: '/',
          display: 'browser',
          background_color: LIGHT.canvas,
          theme_color: acceptedAccent(settings.brand_accent),
          icons: [
            { src: `/icon/192.png${version}`, sizes: '192x192', type: 'image/png' },
            { src: `/icon/512.png${version}`, sizes: '512x512', type: 'image/png' },
            { src: `/icon/maskable.png${version}`, sizes: '512x512', type: 'image/png', purpose: 'maskable' },
            { src: `/favicon.svg${version}`, sizes: 'any', type: 'image/svg+xml' },
          ],
        };
        return new Response(JSON.stringify(manifest), { headers: { 'content-type': 'application/manifest+json' } });
      },
    },
  },
});
