import { FileText } from 'lucide-react';
import { KIND_NAMES } from '../../api/places/kind-names.ts';
import { lazy } from '../../ui/lazy.tsx';
import { slugFromTitle } from '../../ui/lib/slug.ts';
import { defineKind } from '../kind.ts';
import { postSchema } from './schema.ts';

export const posts = defineKind({
  table: 'posts',
  ...KIND_NAMES.posts,
  heading: 'Blog Posts',
  icon: FileText,
  loadingText: 'Loading posts...',
  toasts: {
    created: 'Post created successfully',
    updated: 'Post updated successfully',
    deleted: 'Post deleted successfully',
    createFailed: 'Error creating post',
    updateFailed: 'Error updating post',
    deleteFailed: 'Error deleting post',
  },
  schema: postSchema,
  titleColumn: 'title',
  listColumns: [
    'id',
    'title',
    'slug',
    'excerpt',
    'category',
    'status',
    'featured_image',
    'published_date',
    'updated_at',
  ],
  hasCategories: true,
  listOrder: 'published_date desc, created_at desc',
  row: (post) => ({
    columns: {
      Category: post.category,
      Date: { time: post.published_date },
    },
    thumbnail: { shape: 'cover', src: post.featured_image, subject: { slug: post.slug, title: post.title } },
  }),
  publicPath: (post) => `/news/${encodeURIComponent(post.slug)}`,
  publicFrom: (post) => post.published_date,
  changedAt: (post) => post.published_date,
  toRow: (post) => ({
    ...post,
    slug: post.slug || slugFromTitle(post.title),
    featured_image: post.featured_image || null,
    published_date: post.published_date || new Date().toISOString(),
  }),
  Fields: lazy(() => import('./fields.tsx')),
});
