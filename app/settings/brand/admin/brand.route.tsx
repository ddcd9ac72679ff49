import { createFileRoute } from '@tanstack/react-router';
import { BrandPage } from './brand-page.tsx';

export const Route = createFileRoute('/_gate/admin/settings/brand')({ component: BrandPage });
