import { createFileRoute } from '@tanstack/react-router';
import { PageHeader } from '../shell/page-header.tsx';

export const Route = createFileRoute('/_gate/admin/dashboard')({ component: Dashboard });

function Dashboard() {
  return <PageHeader title="Dashboard" />;
}
