import { createFileRoute } from '@tanstack/react-router';
import { HeaderEditors } from './header-editors.tsx';
import { readTab } from './tab-search.ts';

export const Route = createFileRoute('/_gate/admin/pages/headers')({
  validateSearch: readTab,
  component: HeaderEditors,
});
