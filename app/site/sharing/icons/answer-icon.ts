import { requireSiteHost } from '../../../api/host/site-host.ts';
import { createQueryClient } from '../../../api/query-client.ts';
import { siteSettingsQuery } from '../../../settings/site-settings.ts';
import type { IconBrand } from './draw-icon.ts';

type Draw = (brand: IconBrand, drawing: typeof import('./draw-icon.ts')) => Promise<string | Buffer<ArrayBuffer>>;

/**
 * Answers an icon by the saved brand, drawn once until content changes. Pages name it with the version of the brand
 * (`?v=`), and then browsers keep it for good; at its plain address for an hour, as the files of the build. Server
 * only.
 */
export async function answerIcon(request: Request, contentType: string, draw: Draw): Promise<Response> {
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
