import { z } from 'zod';
import { DEFAULT_CAREERS } from '../../../supabase/functions/ai-chat/built-in-texts.ts';

export const aboutCareersSchema = z.object({
  eyebrow: z.string(),
  heading: z.string(),
  description: z.string(),
  buttonText: z.string(),
});

export type AboutCareers = z.infer<typeof aboutCareersSchema>;

export const aboutCareersDefaults: AboutCareers = {
  eyebrow: 'Careers',
  heading: 'Careers',
  description: DEFAULT_CAREERS,
  buttonText: 'Send us something you made',
};
