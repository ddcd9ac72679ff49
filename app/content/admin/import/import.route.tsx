import { createFileRoute } from '@tanstack/react-router';
import { ImportPage } from './import-page.tsx';

export const Route = createFileRoute('/_gate/admin/settings/import')({ component: ImportPage });
