import { createFileRoute } from '@tanstack/react-router';
import { Unanswered } from './unanswered.tsx';

export const Route = createFileRoute('/_gate/admin/conversations/unanswered')({ component: Unanswered });
