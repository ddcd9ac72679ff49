import { z } from 'zod';

export const aboutCareersSchema = z.object({ heading: z.string(), description: z.string() });

export type AboutCareers = z.infer<typeof aboutCareersSchema>;

export const aboutCareersDefaults: AboutCareers = {
  heading: 'Careers',
  description:
    'We hire one person at a time, for craft. If you build reliable systems or write sentences that people answer, send us something you made and why you made it that way.',
};
