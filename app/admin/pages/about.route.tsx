import { createFileRoute } from '@tanstack/react-router';
import { AboutEditors } from './about-editors.tsx';
import { readTab } from './tab-search.ts';

export const Route = createFileRoute('/_gate/admin/pages/about')({ validateSearch: readTab, component: AboutEditors });
