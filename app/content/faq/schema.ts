import { z } from 'zod';
import {
  displayOrder,
  draftFirst,
  longText,
  rejectMissingPictures,
  requiredText,
  requireToPublish,
} from '../schema-fields.ts';

const fields = z.object({
  question: requiredText('Question'),
  answer: longText('Answer', 20_000),
  status: draftFirst,
  display_order: displayOrder,
});

export const faqSchema = rejectMissingPictures(requireToPublish(fields, 'answer', 'Answer'), 'answer');

export type FaqForm = z.input<typeof faqSchema>;
