import { z } from 'zod';
import { completeOrder, HOME_SECTIONS } from './home-sections.ts';

export const homeOrderSchema = z.object({
  places: z.array(z.object({ name: z.enum(HOME_SECTIONS), isShown: z.boolean() })),
});

export type HomeOrder = z.infer<typeof homeOrderSchema>;

export const homeOrderDefaults: HomeOrder = { places: completeOrder([]) };
