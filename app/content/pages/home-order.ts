import { z } from 'zod';
import { keysOf } from '../../ui/lib/keys-of.ts';
import { HOME_PLACES, HOME_SECTIONS } from './home-sections.ts';

export const homeOrderSchema = z.object({
  places: z.array(z.object({ name: z.enum(keysOf(HOME_SECTIONS)), isShown: z.boolean() })),
});

export type HomeOrder = z.infer<typeof homeOrderSchema>;

export const homeOrderDefaults: HomeOrder = { places: HOME_PLACES };
