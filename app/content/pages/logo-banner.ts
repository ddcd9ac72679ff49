import { z } from 'zod';

export const logoSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** If empty, the name is shown. */
  imageUrl: z.string(),
  order: z.number(),
  /** True if the picture is made for dark backgrounds. Detected by the editor. */
  isLight: z.boolean().optional(),
});

export const logoBannerSchema = z.object({ logos: z.array(logoSchema) });

export type Logo = z.infer<typeof logoSchema>;
export type LogoBanner = z.infer<typeof logoBannerSchema>;

export const logoBannerDefaults: LogoBanner = {
  logos: ['Nordvik', 'Fjellhus', 'Havline', 'Kvist & Co', 'Lyngen', 'Brattli', 'Solstrand', 'Isfront'].map(
    (name, index) => ({
      id: `default-${index + 1}`,
      name,
      imageUrl: '',
      order: index + 1,
    }),
  ),
};
