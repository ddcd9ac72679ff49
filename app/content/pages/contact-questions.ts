import { z } from 'zod';

export const contactQuestionsSchema = z.object({ heading: z.string() });

export type ContactQuestions = z.infer<typeof contactQuestionsSchema>;

export const contactQuestionsDefaults: ContactQuestions = { heading: 'Questions and answers' };
