import { createFileRoute } from '@tanstack/react-router';
import { readTab } from '../tab-search.ts';
import { AboutEditors } from './about-editors.tsx';

export const Route = createFileRoute('/_gate/admin/pages/about')({ validateSearch: readTab, component: AboutEditors });
