import { FileText } from 'lucide-react';
import { lazy } from 'react';
import { postsKind } from '../../data/posts-editing.ts';
import { defineScreen } from '../content/screen.ts';

export const postsScreen = defineScreen({
  kind: postsKind,
  path: 'posts',
  heading: 'Blog Posts',
  one: 'post',
  many: 'posts',
  loadingText: 'Loading posts...',
  icon: FileText,
  titleColumn: 'title',
  card: (post) => ({
    facts: [new Date(post.published_date).toLocaleDateString('en-GB', { dateStyle: 'medium' }), post.category],
    publicPath: `/news/${post.slug}`,
  }),
  Fields: lazy(() => import('./post-fields.tsx')),
});
