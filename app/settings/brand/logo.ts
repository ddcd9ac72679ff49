import { z } from 'zod';
import type { BrandLogo } from './brand-logo.ts';

/** Path of an uploaded file, or its URL if the API has another origin. Same as private.is_brand_picture(). */
const FILE_URL =
  /^(?:https?:\/\/[A-Za-z0-9.:-]+)?\/storage\/v1\/object\/public\/content-media\/(?!.*\.\.)[A-Za-z0-9_./%-]+$/;

const side = z.number().positive().max(100_000);

export const pictureShape = z.object({ address: z.string().regex(FILE_URL), width: side, height: side });

export const logoShape = z.object({
  light: pictureShape,
  dark: pictureShape.nullable(),
  showsName: z.boolean(),
});

/** Parses a saved logo. Null if it is empty or not an uploaded picture. */
export function parseLogo(text: string): BrandLogo | null {
  try {
    return logoShape.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
