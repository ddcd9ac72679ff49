import { Briefcase } from 'lucide-react';
import { KIND_NAMES } from '../../api/places/kind-names.ts';
import { projectPath } from '../../api/places/public-pages.ts';
import { lazy } from '../../ui/lazy.tsx';
import { slugFromTitle } from '../../ui/lib/slug.ts';
import { defineKind } from '../kind.ts';
import { projectSchema } from './schema.ts';

export const projects = defineKind({
  table: 'projects',
  ...KIND_NAMES.projects,
  heading: 'Projects',
  icon: Briefcase,
  loadingText: 'Loading projects...',
  toasts: {
    created: 'Project created successfully',
    updated: 'Project updated successfully',
    deleted: 'Project deleted successfully',
    createFailed: 'Error creating project',
    updateFailed: 'Error updating project',
    deleteFailed: 'Error deleting project',
  },
  schema: projectSchema,
  titleColumn: 'title',
  listColumns: ['id', 'title', 'slug', 'company', 'metric', 'status', 'featured_image', 'display_order', 'updated_at'],
  listOrder: 'display_order, created_at desc',
  row: (project) => ({
    columns: { Company: project.company, Metric: project.metric },
    thumbnail: {
      shape: 'cover',
      src: project.featured_image,
      subject: { slug: project.slug, title: project.title, figure: project.metric },
    },
  }),
  publicPath: (project) => projectPath(project.slug),
  toRow: (project) => ({
    ...project,
    slug: project.slug || slugFromTitle(project.title),
    featured_image: project.featured_image || null,
    gallery_images: [],
  }),
  Fields: lazy(() => import('./fields.tsx')),
  Below: lazy(() => import('./quoted-figure.tsx')),
});
