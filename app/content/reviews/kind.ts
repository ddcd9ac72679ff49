import { Star } from 'lucide-react';
import { KIND_NAMES } from '../../api/places/kind-names.ts';
import { lazy } from '../../ui/lazy.tsx';
import { defineKind } from '../kind.ts';
import { reviewSchema } from './schema.ts';

export const reviews = defineKind({
  table: 'reviews',
  ...KIND_NAMES.reviews,
  heading: 'Reviews',
  icon: Star,
  loadingText: 'Loading...',
  toasts: {
    created: 'Review created successfully',
    updated: 'Review updated successfully',
    deleted: 'Review deleted successfully',
    createFailed: 'Error creating review',
    updateFailed: 'Error updating review',
    deleteFailed: 'Error deleting review',
  },
  schema: reviewSchema,
  titleColumn: 'author_name',
  listColumns: [
    'id',
    'author_name',
    'author_role',
    'company',
    'rating',
    'quote',
    'avatar_url',
    'status',
    'display_order',
    'updated_at',
  ],
  listOrder: 'display_order, created_at',
  row: (review) => ({
    columns: { Rating: `${review.rating} of 5`, Role: review.author_role, Company: review.company },
    thumbnail: { shape: 'person', src: review.avatar_url },
  }),
  toRow: (review) => ({ ...review, avatar_url: review.avatar_url || null }),
  Fields: lazy(() => import('./fields.tsx')),
});
