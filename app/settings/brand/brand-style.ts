import { createIsomorphicFn } from '@tanstack/react-start';
import { requireSiteHost } from '../../api/host/site-host.ts';
import type { SiteSettings } from '../site-settings.ts';
import { accentCss, accentTokens } from './accent.ts';

/** Brand-specific parts of an HTML document. */
interface BrandStyle {
  /** CSS that follows the stylesheet, and its CSP hash. Null for the built-in accent. */
  accentStyle: { css: string; hash: string } | null;
  /** Cache-busting query of icon URLs ('?v=…'). Empty for the built-in brand. */
  iconVersion: string;
}

type BrandSettings = Pick<SiteSettings, 'site_name' | 'brand_accent' | 'brand_logo'>;

/** Reads the style of the saved brand. The browser needs no request, because the server inlines the style. */
export const readBrandStyle = createIsomorphicFn()
  .server(async (settings: BrandSettings): Promise<BrandStyle> => {
    const [accentStyle, iconVersion] = await Promise.all([
      buildAccentStyle(settings.brand_accent),
      brandVersion(settings),
    ]);
    return { accentStyle, iconVersion };
  })
  .client(async (_settings: BrandSettings): Promise<BrandStyle> => ({ accentStyle: null, iconVersion: '' }));

/** Returns the query string that changes with the brand, or an empty string for the default. Server only. */
export async function brandVersion({ site_name, brand_accent, brand_logo }: BrandSettings): Promise<string> {
  if (!brand_accent && !brand_logo) return '';
  const hash = await sha256(JSON.stringify([site_name, brand_accent, brand_logo]));
  return `?v=${hash.replace(/\W/g, '').slice(0, 8)}`;
}

function buildAccentStyle(accent: string): Promise<BrandStyle['accentStyle']> {
  return requireSiteHost().remember(`accent ${accent}`, async () => {
    const tokens = accentTokens(accent);
    if (!tokens) return null;
    const css = accentCss(tokens);
    return { css, hash: `sha256-${await sha256(css)}` };
  });
}

/** Returns the SHA-256 hash of a text in Base64. */
async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}
