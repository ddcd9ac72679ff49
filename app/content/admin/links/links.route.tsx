import { createFileRoute } from '@tanstack/react-router';
import { DeadLinks } from './dead-links.tsx';

export const Route = createFileRoute('/_gate/admin/links')({ component: DeadLinks });
