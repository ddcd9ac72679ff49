import { createIsomorphicFn } from '@tanstack/react-start';
import { requireSiteHost } from '../../api/host/site-host.ts';
import type { SiteSettings } from '../site-settings.ts';
import { accentCss, accentTokens } from './accent.ts';

/** Additions of the owner's brand to a document. */
interface BrandStyle {
  /** CSS that comes after the stylesheet, and its hash as the policy names it; null with the built-in accent. */
  accentStyle: { css: string; hash: string } | null;
  /** '?v=…' for the addresses of icons, so that another brand has other ones; '' for the built-in brand. */
  iconVersion: string;
}

type BrandSettings = Pick<SiteSettings, 'site_name' | 'brand_accent' | 'brand_logo'>;

/** The style of the saved brand. A document has it from the server, and the browser never asks. */
export const readBrandStyle = createIsomorphicFn()
  .server(async (settings: BrandSettings): Promise<BrandStyle> => {
    const [accentStyle, iconVersion] = await Promise.all([
      accentStyleOf(settings.brand_accent),
      brandVersion(settings),
    ]);
    return { accentStyle, iconVersion };
  })
  .client(async (_settings: BrandSettings): Promise<BrandStyle> => ({ accentStyle: null, iconVersion: '' }));

/** Server only. */
export async function brandVersion({ site_name, brand_accent, brand_logo }: BrandSettings): Promise<string> {
  if (!brand_accent && !brand_logo) return '';
  const hash = await sha256(JSON.stringify([site_name, brand_accent, brand_logo]));
  return `?v=${hash.replace(/\W/g, '').slice(0, 8)}`;
}

function accentStyleOf(accent: string): Promise<BrandStyle['accentStyle']> {
  return requireSiteHost().remember(`accent ${accent}`, async () => {
    const tokens = accentTokens(accent);
    if (!tokens) return null;
    const css = accentCss(tokens);
    return { css, hash: `sha256-${await sha256(css)}` };
  });
}

/** Hashes a text, as base64. */
async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}
