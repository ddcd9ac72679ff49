import { z } from 'zod';
import {
  displayOrder,
  draftFirst,
  longText,
  requiredText,
  requirePictures,
  requireToPublish,
} from '../schema-fields.ts';

const fields = z.object({
  question: requiredText('Question'),
  answer: longText('Answer', 20_000),
  status: draftFirst,
  display_order: displayOrder,
});

export const faqSchema = requirePictures(requireToPublish(fields, 'answer', 'Answer'), 'answer');

export type FaqForm = z.input<typeof faqSchema>;
