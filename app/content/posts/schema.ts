import { z } from 'zod';
import { optionalDate } from '../../ui/lib/calendar-date.ts';
import {
  draftFirst,
  imageUrl,
  longText,
  optionalText,
  rejectMissingPictures,
  requiredText,
  slug,
  startingWith,
} from '../schema-fields.ts';

const fields = z.object({
  title: requiredText('Title'),
  slug,
  excerpt: optionalText('Excerpt', 2000),
  content: longText('Content'),
  category: optionalText('Category', 100),
  status: draftFirst,
  featured_image: imageUrl,
  /** Empty means now. */
  published_date: startingWith('', optionalDate),
});

export const postSchema = rejectMissingPictures(fields, 'content');

export type PostForm = z.input<typeof postSchema>;
