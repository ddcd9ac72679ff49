import { z } from 'zod';

export const logoSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Empty: the name is drawn. */
  imageUrl: z.string(),
  order: z.number(),
  /** True when its picture was made for dark grounds; the editor finds that out. */
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
