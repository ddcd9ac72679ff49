/** Look of mails: the site's name, tagline, accent colour and logo, as the owner set them. */
import sharp from 'sharp';
import { z } from 'zod';
import { DEFAULT_SITE_NAME, withSiteName } from '../../supabase/functions/ai-chat/site-name.ts';
import type { Queryable } from '../database/database.ts';

/** Look that the templates in supabase/templates have; a hosted project sends those as they are. */
export const BUILT_IN_LOOK: MailLook = {
  siteName: DEFAULT_SITE_NAME,
  tagline: 'AI Outbound Systems for Brand-First Growth',
  accent: '#0a6247',
  logo: null,
};

export interface MailLook {
  siteName: string;
  tagline: string;
  /** #rrggbb */
  accent: string;
  logo: MailLogo | null;
}

export interface MailLogo {
  /** A PNG of twice the size in which it is shown. It comes with the mail, so that opening the mail tells nobody. */
  png: Buffer;
  width: number;
  height: number;
  showsName: boolean;
}

/** Answers a GET of a public file. */
export type ReadUpload = (request: Request) => Response | Promise<Response>;

/** Largest size of the logo, in CSS pixels. */
const LOGO_BOX = { width: 200, height: 36 };

const MAX_LOGO_BYTES = 5 * 1024 * 1024;
const MAX_PIXELS = 60e6;

/** @returns a function that reads the present look; the drawn logo is kept until another one is set */
export function createLookReader(database: Queryable, readUpload: ReadUpload): () => Promise<MailLook> {
  let drawn: { setting: string; logo: MailLogo | null } | undefined;
  return async () => {
    const { rows } = await database.query<{ setting_key: string; setting_value: string }>(
      `select setting_key, setting_value from public.site_settings
       where setting_key in ('site_name', 'site_tagline', 'brand_accent', 'brand_logo') and trim(setting_value) <> ''`,
    );
    const saved = new Map(rows.map(({ setting_key, setting_value }) => [setting_key, setting_value]));
    const siteName = saved.get('site_name') ?? BUILT_IN_LOOK.siteName;
    const setting = saved.get('brand_logo') ?? '';
    if (drawn?.setting !== setting) drawn = { setting, logo: setting ? await drawLogo(setting, readUpload) : null };
    return {
      siteName,
      tagline: withSiteName(saved.get('site_tagline') ?? BUILT_IN_LOOK.tagline, siteName),
      accent: saved.get('brand_accent') ?? BUILT_IN_LOOK.accent,
      logo: drawn.logo,
    };
  };
}

/** As private.guard_brand_logo() of the database lets it in. */
const logoSetting = z.object({
  light: z.object({ address: z.string(), width: z.number(), height: z.number() }),
  showsName: z.boolean().optional(),
});

/** Null when it cannot be read: a mail goes out without its logo rather than not at all. */
async function drawLogo(setting: string, readUpload: ReadUpload): Promise<MailLogo | null> {
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
