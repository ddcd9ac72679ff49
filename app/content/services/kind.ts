import { Layers } from 'lucide-react';
import { KIND_NAMES } from '../../api/places/kind-names.ts';
import { lazy } from '../../ui/lazy.tsx';
import { slugFromTitle } from '../../ui/lib/slug.ts';
import { defineKind } from '../kind.ts';
import { serviceSchema } from './schema.ts';

export const services = defineKind({
  table: 'services',
  ...KIND_NAMES.services,
  heading: 'Services',
  icon: Layers,
  loadingText: 'Loading...',
  toasts: {
    created: 'Service created successfully',
    updated: 'Service updated successfully',
    deleted: 'Service deleted successfully',
    createFailed: 'Error creating service',
    updateFailed: 'Error updating service',
    deleteFailed: 'Error deleting service',
  },
  schema: serviceSchema,
  titleColumn: 'title',
  listColumns: [
    'id',
    'title',
    'slug',
    'icon_name',
    'short_description',
    'timeline',
    'pricing',
    'status',
    'display_order',
    'updated_at',
  ],
  listOrder: 'display_order, created_at',
  row: (service) => ({
    columns: { Timeline: service.timeline, Pricing: service.pricing },
    thumbnail: { shape: 'icon', name: service.icon_name },
  }),
  toRow: (service) => ({
    ...service,
    slug: service.slug || slugFromTitle(service.title),
    icon_name: service.icon_name || null,
  }),
  Fields: lazy(() => import('./fields.tsx')),
});
