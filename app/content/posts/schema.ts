import { z } from 'zod';
import { draftFirst, imageUrl, longText, optionalText, requiredText, slug, startingWith } from '../schema-fields.ts';

export const postSchema = z.object({
  title: requiredText('Title'),
  slug,
  excerpt: optionalText('Excerpt', 2000),
  content: longText('Content'),
  category: optionalText('Category', 100),
  status: draftFirst,
  featured_image: imageUrl,
  /** Any date that the browser's date field gives; empty means now. */
  published_date: startingWith(
    '',
    z.string().refine((value) => value === '' || !Number.isNaN(Date.parse(value)), 'Enter a valid date'),
  ),
});

export type PostForm = z.input<typeof postSchema>;
