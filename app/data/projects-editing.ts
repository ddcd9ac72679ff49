import { z } from 'zod';
import { slugFromTitle } from '../lib/slug.ts';
import { displayOrder, imageUrl, longText, optionalText, requiredText, slug, status } from './content-fields.ts';
import { defineKind } from './editing.ts';

const projectSchema = z.object({
  title: requiredText('Title'),
  slug,
  company: optionalText('Company'),
  metric: optionalText('Key metric'),
  description: optionalText('Description', 5000),
  full_content: longText('Full content'),
  featured_image: imageUrl,
  status,
  display_order: displayOrder,
});

export const projectsKind = defineKind({
  table: 'projects',
  schema: projectSchema,
  empty: {
    title: '',
    slug: '',
    company: '',
    metric: '',
    description: '',
    full_content: '',
    featured_image: '',
    status: 'draft',
    display_order: 0,
  },
  listColumns: ['id', 'title', 'slug', 'company', 'metric', 'status', 'display_order', 'updated_at'],
  searchColumns: ['title', 'slug', 'company', 'description'],
  order: [
    { column: 'display_order', ascending: true },
    { column: 'created_at', ascending: false },
  ],
  toRow: (project) => ({
    ...project,
    slug: project.slug || slugFromTitle(project.title),
    featured_image: project.featured_image || null,
    gallery_images: [],
  }),
});
