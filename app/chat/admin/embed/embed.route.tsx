import { createFileRoute } from '@tanstack/react-router';
import { EmbedPage } from './embed-page.tsx';

export const Route = createFileRoute('/_gate/admin/embed')({ component: EmbedPage });
