import { z } from 'zod';
import { displayOrder, draftFirst, imageUrl, longText, requiredText, slug } from '../schema-fields.ts';

export const caseStudySchema = z.object({
  headline: requiredText('Headline'),
  slug,
  story: longText('Story'),
  cover_image: imageUrl,
  status: draftFirst,
  display_order: displayOrder,
});

export type CaseStudyForm = z.input<typeof caseStudySchema>;
