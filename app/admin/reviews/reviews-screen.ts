import { Star } from 'lucide-react';
import { lazy } from 'react';
import { reviewsKind } from '../../data/reviews-editing.ts';
import { defineScreen } from '../content/screen.ts';

export const reviewsScreen = defineScreen({
  kind: reviewsKind,
  path: 'reviews',
  heading: 'Reviews',
  one: 'review',
  many: 'reviews',
  loadingText: 'Loading...',
  icon: Star,
  titleColumn: 'author_name',
  card: (review) => ({ facts: [`${review.rating} of 5`, review.author_role, review.company] }),
  Fields: lazy(() => import('./review-fields.tsx')),
});
