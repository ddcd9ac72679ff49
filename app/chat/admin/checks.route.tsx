import { createFileRoute } from '@tanstack/react-router';
import { Checks } from './checks.tsx';

export const Route = createFileRoute('/_gate/admin/conversations/checks')({ component: Checks });
