/** Branding of emails: the name, tagline, accent colour and logo of the site. */
import type { Queryable, RequestHandler } from '@signalfjord/backend';
import sharp from 'sharp';
import { z } from 'zod';
import { DEFAULT_SITE_NAME, fillSiteName } from '../../supabase/functions/ai-chat/site-name.ts';

/** Branding in supabase/templates, which a hosted project sends unchanged. */
export const BUILT_IN_BRANDING: MailBranding = {
  siteName: DEFAULT_SITE_NAME,
  tagline: 'AI Outbound Systems for Brand-First Growth',
  accent: '#0a6247',
  logo: null,
};

export interface MailBranding {
  siteName: string;
  tagline: string;
  /** #rrggbb */
  accent: string;
  /** Logo, or the built-in mark. If null, mails show the symbol in the template, as in a hosted project. */
  logo: MailLogo | null;
}

export interface MailLogo {
  /** PNG at 2x resolution. It is attached, because a linked image would reveal that the email was opened. */
  png: Buffer;
  width: number;
  height: number;
  showsName: boolean;
}

/** Maximum size of the logo in CSS pixels. */
const LOGO_BOX = { width: 200, height: 36 };

/** Size of the built-in mark in CSS pixels. */
const MARK_SIZE = 32;

/** Paths and colours of the mark, as in app/settings/brand/brand.ts. A test compares both. */
export const MARK = {
  wave: 'M2.25 18a6.9 6.9 0 0 1 13.75 0 6.9 6.9 0 0 0 13.75 0',
  light: '#fcfaf1',
  signal: '#fb9a66',
} as const;

const MAX_LOGO_BYTES = 5 * 1024 * 1024;
const MAX_PIXELS = 60e6;

/** Creates a function that reads the current branding. The rendered logo is cached. */
export function createBrandingReader(database: Queryable, readUpload: RequestHandler): () => Promise<MailBranding> {
  let cached: { key: string; logo: MailLogo } | undefined;
  return async () => {
    const { rows } = await database.query<{ setting_key: string; setting_value: string }>(
      `select setting_key, setting_value from public.site_settings
       where setting_key in ('site_name', 'site_tagline', 'brand_accent', 'brand_logo') and trim(setting_value) <> ''`,
    );
    const settings = new Map(rows.map(({ setting_key, setting_value }) => [setting_key, setting_value]));
    const siteName = settings.get('site_name') ?? BUILT_IN_BRANDING.siteName;
    const accent = settings.get('brand_accent') ?? BUILT_IN_BRANDING.accent;
    const setting = settings.get('brand_logo') ?? '';
    const key = `${accent} ${setting}`;
    if (cached?.key !== key)
      cached = { key, logo: (setting && (await drawLogo(setting, readUpload))) || (await drawMark(accent)) };
    return {
      siteName,
      tagline: fillSiteName(settings.get('site_tagline') ?? BUILT_IN_BRANDING.tagline, siteName),
      accent,
      logo: cached.logo,
    };
  };
}

/** Renders the built-in mark on a tile in the accent colour, which is readable in light and dark mail clients. */
export async function drawMark(accent: string): Promise<MailLogo> {
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${accent}"/>` +
    `<g transform="translate(4.16 3.6) scale(.74)"><path d="${MARK.wave}" fill="none" stroke="${MARK.light}" ` +
    `stroke-width="3.4" stroke-linecap="round"/><circle cx="22.9" cy="11.4" r="3.5" fill="${MARK.signal}"/></g></svg>`;
  const size = MARK_SIZE * 2;
  const png = await sharp(Buffer.from(svg), { density: (72 * size) / 32 })
    .resize(size, size)
    .png()
    .toBuffer();
  return { png, width: MARK_SIZE, height: MARK_SIZE, showsName: true };
}

/** The rules are the same as those of private.guard_brand_logo() in the database. */
const logoSetting = z.object({
  light: z.object({ address: z.string(), width: z.number(), height: z.number() }),
  showsName: z.boolean().optional(),
});

/** Returns null if the logo cannot be read, so that the email is sent without it. */
async function drawLogo(setting: string, readUpload: RequestHandler): Promise<MailLogo | null> {
  try {
    const { light, showsName } = logoSetting.parse(JSON.parse(setting));
    const path = light.address.slice(light.address.indexOf('/storage/v1/'));
    const response = await readUpload(new Request(`http://backend.internal${path}`));
    if (!response.ok || Number(response.headers.get('content-length') ?? 0) > MAX_LOGO_BYTES) {
      await response.body?.cancel();
      return null;
    }
    const [width, height] = [LOGO_BOX.width * 2, LOGO_BOX.height * 2];
    const density = Math.min(2400, Math.max(72, (72 * height * 2) / light.height));
    const { data, info } = await sharp(await response.arrayBuffer(), { density, limitInputPixels: MAX_PIXELS })
      .autoOrient()
      .resize({ width, height, fit: 'inside' })
      .png()
      .toBuffer({ resolveWithObject: true });
    return { png: data, width: info.width / 2, height: info.height / 2, showsName: showsName ?? true };
  } catch {
    return null;
  }
}
