import { z } from 'zod';
import {
  displayOrder,
  draftFirst,
  imageUrl,
  longText,
  optionalText,
  rejectMissingPictures,
  requiredText,
  slug,
} from '../schema-fields.ts';

const fields = z.object({
  title: requiredText('Title'),
  slug,
  company: optionalText('Company'),
  metric: optionalText('Key metric'),
  description: optionalText('Description', 5000),
  full_content: longText('Full content'),
  featured_image: imageUrl,
  status: draftFirst,
  display_order: displayOrder,
});

export const projectSchema = rejectMissingPictures(fields, 'full_content');

export type ProjectForm = z.input<typeof projectSchema>;
