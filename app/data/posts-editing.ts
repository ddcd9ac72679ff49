import { z } from 'zod';
import { slugFromTitle } from '../lib/slug.ts';
import { imageUrl, longText, optionalText, requiredText, slug, status } from './content-fields.ts';
import { defineKind } from './editing.ts';

const postSchema = z.object({
  title: requiredText('Title'),
  slug,
  excerpt: optionalText('Excerpt', 2000),
  content: longText('Content'),
  category: optionalText('Category', 100),
  status,
  featured_image: imageUrl,
  /** Any date that the browser's date field gives; empty means now. */
  published_date: z.string().refine((value) => value === '' || !Number.isNaN(Date.parse(value)), 'Enter a valid date'),
});

export const postsKind = defineKind({
  table: 'posts',
  schema: postSchema,
  empty: {
    title: '',
    slug: '',
    excerpt: '',
    content: '',
    category: '',
    status: 'draft',
    featured_image: '',
    published_date: '',
  },
  listColumns: ['id', 'title', 'slug', 'excerpt', 'category', 'status', 'published_date', 'updated_at'],
  searchColumns: ['title', 'slug', 'excerpt', 'category'],
  order: [
    { column: 'published_date', ascending: false },
    { column: 'created_at', ascending: false },
  ],
  toRow: (post) => ({
    ...post,
    slug: post.slug || slugFromTitle(post.title),
    featured_image: post.featured_image || null,
    published_date: (post.published_date ? new Date(post.published_date) : new Date()).toISOString(),
  }),
});
