import { z } from 'zod';
import { slugFromTitle } from '../lib/slug.ts';
import { displayOrder, longText, optionalText, requiredText, slug, status } from './content-fields.ts';
import { defineKind } from './editing.ts';

const serviceSchema = z.object({
  title: requiredText('Title'),
  slug,
  icon_name: optionalText('Icon name', 100),
  short_description: optionalText('Short description', 5000),
  long_description: longText('Long description'),
  timeline: optionalText('Timeline'),
  pricing: optionalText('Pricing'),
  deliverables: z.array(requiredText('A deliverable')),
  status,
  display_order: displayOrder,
});

export const servicesKind = defineKind({
  table: 'services',
  schema: serviceSchema,
  empty: {
    title: '',
    slug: '',
    icon_name: '',
    short_description: '',
    long_description: '',
    timeline: '',
    pricing: '',
    deliverables: [],
    status: 'published',
    display_order: 0,
  },
  listColumns: [
    'id',
    'title',
    'slug',
    'short_description',
    'timeline',
    'pricing',
    'status',
    'display_order',
    'updated_at',
  ],
  searchColumns: ['title', 'slug', 'short_description'],
  order: [
    { column: 'display_order', ascending: true },
    { column: 'created_at', ascending: true },
  ],
  toRow: (service) => ({
    ...service,
    slug: service.slug || slugFromTitle(service.title),
    icon_name: service.icon_name || null,
  }),
});
