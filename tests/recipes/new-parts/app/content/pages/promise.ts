import { z } from 'zod';

export const promiseSchema = z.object({ heading: z.string(), text: z.string() });

export type PromiseContent = z.infer<typeof promiseSchema>;

export const promiseDefaults: PromiseContent = {
  heading: 'What we promise',
  text: 'You own what we build from day one.',
};
