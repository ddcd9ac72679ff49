import { z } from 'zod';
import { displayOrder, imageUrl, optionalText, requiredText, status } from './content-fields.ts';
import { defineKind } from './editing.ts';

const reviewSchema = z.object({
  author_name: requiredText('Author name'),
  author_role: optionalText('Author role'),
  company: optionalText('Company'),
  rating: z.coerce.number().int().min(1, 'Rating must be 1 to 5').max(5, 'Rating must be 1 to 5'),
  quote: requiredText('Quote', 5000),
  avatar_url: imageUrl,
  status,
  display_order: displayOrder,
});

export const reviewsKind = defineKind({
  table: 'reviews',
  schema: reviewSchema,
  empty: {
    author_name: '',
    author_role: '',
    company: '',
    rating: 5,
    quote: '',
    avatar_url: '',
    status: 'published',
    display_order: 0,
  },
  listColumns: [
    'id',
    'author_name',
    'author_role',
    'company',
    'rating',
    'quote',
    'status',
    'display_order',
    'updated_at',
  ],
  searchColumns: ['author_name', 'company', 'quote'],
  order: [
    { column: 'display_order', ascending: true },
    { column: 'created_at', ascending: true },
  ],
  toRow: (review) => ({ ...review, avatar_url: review.avatar_url || null }),
});
