import { createFileRoute } from '@tanstack/react-router';
import { readTab } from '../tab-search.ts';
import { HomeEditors } from './home-editors.tsx';

export const Route = createFileRoute('/_gate/admin/pages/home')({ validateSearch: readTab, component: HomeEditors });
