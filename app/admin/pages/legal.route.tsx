import { createFileRoute } from '@tanstack/react-router';
import { LegalEditors } from './legal-editors.tsx';
import { readTab } from './tab-search.ts';

export const Route = createFileRoute('/_gate/admin/pages/legal')({ validateSearch: readTab, component: LegalEditors });
