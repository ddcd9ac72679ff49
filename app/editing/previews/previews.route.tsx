import { createFileRoute } from '@tanstack/react-router';
import { PreviewsPage } from './previews-page.tsx';

export const Route = createFileRoute('/_gate/admin/previews')({
  component: PreviewsPage,
});
