import { z } from 'zod';
import { DEFAULT_CAREERS } from '../../../supabase/functions/ai-chat/built-in-texts.ts';

export const aboutCareersSchema = z.object({ heading: z.string(), description: z.string() });

export type AboutCareers = z.infer<typeof aboutCareersSchema>;

export const aboutCareersDefaults: AboutCareers = {
  heading: 'Careers',
  description: DEFAULT_CAREERS,
};
