import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/_gate/admin-dashboard')({
  beforeLoad: () => {
    throw redirect({ to: '/admin/dashboard', replace: true });
  },
});
