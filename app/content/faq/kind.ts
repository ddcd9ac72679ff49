import { CircleQuestionMark } from 'lucide-react';
import { KIND_NAMES } from '../../api/places/kind-names.ts';
import { lazy } from '../../ui/lazy.tsx';
import { defineKind } from '../kind.ts';
import { faqSchema } from './schema.ts';

export const faq = defineKind({
  table: 'faq',
  ...KIND_NAMES.faq,
  heading: 'Questions and answers',
  icon: CircleQuestionMark,
  seeAlso: {
    to: '/admin/conversations/unanswered',
    text: 'The assistant uses these answers first.',
    link: 'Questions that it could not answer',
  },
  loadingText: 'Loading...',
  toasts: {
    created: 'Question created successfully',
    updated: 'Question updated successfully',
    deleted: 'Question deleted successfully',
    createFailed: 'Error creating question',
    updateFailed: 'Error updating question',
    deleteFailed: 'Error deleting question',
  },
  schema: faqSchema,
  titleColumn: 'question',
  listColumns: ['id', 'question', 'answer', 'status', 'display_order', 'updated_at'],
  listOrder: 'display_order, created_at',
  // The dashboard shows exactly four counts.
  isCounted: false,
  row: ({ answer }) => ({ columns: { Answer: answer.trim() ? null : 'No answer yet' } }),
  toRow: (question) => question,
  Fields: lazy(() => import('./fields.tsx')),
});
