import { z } from 'zod';
import { displayOrder, imageUrl, optionalText, publishedFirst, requiredText, startingWith } from '../schema-fields.ts';

export const reviewSchema = z.object({
  author_name: requiredText('Author name'),
  author_role: optionalText('Author role'),
  company: optionalText('Company'),
  rating: startingWith(
    5,
    z.coerce.number<number>().int().min(1, 'Rating must be 1 to 5').max(5, 'Rating must be 1 to 5'),
  ),
  quote: requiredText('Quote', 5000),
  avatar_url: imageUrl,
  status: publishedFirst,
  display_order: displayOrder,
});

export type ReviewForm = z.input<typeof reviewSchema>;
