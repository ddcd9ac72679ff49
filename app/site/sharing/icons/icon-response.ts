import { requireSiteHost } from '../../../api/host/site-host.ts';
import { createQueryClient } from '../../../api/query-client.ts';
import { siteSettingsQuery } from '../../../settings/site-settings.ts';
import type { IconBrand } from './draw-icon.ts';

type Draw = (brand: IconBrand, drawing: typeof import('./draw-icon.ts')) => Promise<string | Buffer<ArrayBuffer>>;

/**
 * Responds with an icon of the saved brand, cached until content changes. Pages add the brand version (`?v=`), and
 * browsers may then cache it permanently. Without a version, it is cached for an hour. Server only.
 */
export async function iconResponse(request: Request, contentType: string, draw: Draw): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const settings = await createQueryClient().fetchQuery(siteSettingsQuery);
  const body = await requireSiteHost().remember(`icon ${pathname}`, async () =>
    draw(
      { siteName: settings.site_name, accent: settings.brand_accent, logo: settings.brand_logo },
      await import('./draw-icon.ts'),
    ),
  );
  const age = searchParams.has('v') ? 'max-age=31536000, immutable' : 'max-age=3600';
  return new Response(body, { headers: { 'content-type': contentType, 'cache-control': `public, ${age}` } });
}
