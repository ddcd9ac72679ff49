import { z } from 'zod';
import {
  displayOrder,
  imageUrl,
  optionalText,
  publishedFirst,
  requiredText,
  requireToPublish,
  startingWith,
} from '../schema-fields.ts';

const fields = z.object({
  author_name: requiredText('Author name'),
  author_role: optionalText('Author role'),
  company: optionalText('Company'),
  rating: startingWith(
    5,
    z.coerce.number<number>().int().min(1, 'Rating must be 1 to 5').max(5, 'Rating must be 1 to 5'),
  ),
  quote: optionalText('Quote', 5000),
  avatar_url: imageUrl,
  status: publishedFirst,
  display_order: displayOrder,
});

export const reviewSchema = requireToPublish(fields, 'quote', 'Quote');

export type ReviewForm = z.input<typeof reviewSchema>;
