import { createFileRoute } from '@tanstack/react-router';
import { readTab } from '../tab-search.ts';
import { HeaderEditors } from './header-editors.tsx';

export const Route = createFileRoute('/_gate/admin/pages/headers')({
  validateSearch: readTab,
  component: HeaderEditors,
});
