/** Draws the logo for use in other images. Server only, and imported on demand. */
import sharp from 'sharp';
import { requireSiteHost } from '../../api/host/site-host.ts';
import type { LogoPicture } from '../../settings/brand/brand-logo.ts';

/** Maximum size of a logo. Above the upload limit, because an external Supabase project may allow larger files. */
const MAX_BYTES = 5 * 1024 * 1024;
const MAX_PIXELS = 60e6;

/** Default and maximum rendering density of an SVG in DPI. Prevents huge renderings of SVGs with a tiny declared size. */
const DEFAULT_DENSITY = 72;
const MAX_DENSITY = 2400;

/** Draws a logo as a PNG data URL that fits the given size. Returns null if the logo cannot be read. */
export async function drawLogo(
  { address: url, width, height }: LogoPicture,
  box: { width: number; height: number },
): Promise<{ url: string; width: number; height: number } | null> {
  const scale = Math.min(box.width / width, box.height / height);
  const density = Math.min(MAX_DENSITY, Math.max(DEFAULT_DENSITY, DEFAULT_DENSITY * scale * 2));
  try {
    const { data, info } = await sharp(await readUpload(url), { density, limitInputPixels: MAX_PIXELS })
      .autoOrient()
      .resize({ ...box, fit: 'inside' })
      .png()
      .toBuffer({ resolveWithObject: true });
    return { url: `data:image/png;base64,${data.toString('base64')}`, width: info.width, height: info.height };
  } catch (error) {
    console.warn('The logo could not be drawn:', error instanceof Error ? error.message : error);
    return null;
  }
}

/**
 * Reads a file from the media library with a visitor's access rights.
 *
 * @throws Error if the file is missing or too large
 */
async function readUpload(url: string): Promise<Uint8Array> {
  const host = requireSiteHost();
  // Use only the path, so that the request is always sent to this site's own API.
  const path = url.slice(url.indexOf('/storage/v1/'));
  const response = await host.fetch(new Request(host.apiUrl + path));
  const size = Number(response.headers.get('content-length') ?? 0);
  if (!response.ok || size > MAX_BYTES) {
    await response.body?.cancel();
    throw new Error(response.ok ? `the file has ${size} bytes` : `storage returned ${response.status}`);
  }
  return new Uint8Array(await response.arrayBuffer());
}
