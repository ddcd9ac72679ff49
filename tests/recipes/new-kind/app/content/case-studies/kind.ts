import { BookOpen } from 'lucide-react';
import { KIND_NAMES } from '../../api/places/kind-names.ts';
import { lazy } from '../../ui/lazy.tsx';
import { slugFromTitle } from '../../ui/lib/slug.ts';
import { defineKind } from '../kind.ts';
import { caseStudySchema } from './schema.ts';

export const caseStudies = defineKind({
  table: 'case_studies',
  ...KIND_NAMES.case_studies,
  heading: 'Case Studies',
  icon: BookOpen,
  loadingText: 'Loading case studies...',
  toasts: {
    created: 'Case study created successfully',
    updated: 'Case study updated successfully',
    deleted: 'Case study deleted successfully',
    createFailed: 'Error creating case study',
    updateFailed: 'Error updating case study',
    deleteFailed: 'Error deleting case study',
  },
  schema: caseStudySchema,
  titleColumn: 'headline',
  listColumns: ['id', 'headline', 'slug', 'status', 'display_order', 'updated_at'],
  listOrder: 'display_order, created_at',
  row: (study) => ({ columns: { Slug: study.slug } }),
  publicPath: (study) => `/case-studies/${encodeURIComponent(study.slug)}`,
  toRow: (study) => ({
    ...study,
    slug: study.slug || slugFromTitle(study.headline),
    cover_image: study.cover_image || null,
  }),
  Fields: lazy(() => import('./fields.tsx')),
});
