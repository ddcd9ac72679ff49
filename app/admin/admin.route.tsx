import { createFileRoute, redirect } from '@tanstack/react-router';
import { useEffect } from 'react';
import { requireAdmin } from '../accounts/session.ts';
import { leavePreview } from '../api/host/preview-base.ts';
import { markHydrated } from '../ui/lib/hydrated.ts';
import { AdminShell } from './shell/admin-shell.tsx';

export const Route = createFileRoute('/_gate/admin')({
  // Child routes run in the browser only, so metadata for search engines must be set here.
  ssr: false,
  head: () => ({ meta: [{ title: 'Admin' }, { name: 'robots', content: 'noindex' }] }),
  beforeLoad: async (route) => {
    await leavePreview(route.location.href);
    const account = await requireAdmin(route);
    if (route.location.pathname === '/admin') throw redirect({ to: '/admin/dashboard', replace: true });
    return { account };
  },
  // Drafts can contain images from hosts that no published page uses yet.
  staticData: { allowsImagesFromAnyHost: true },
  component: AdminLayout,
  pendingComponent: AdminPending,
});

function AdminLayout() {
  return <AdminShell account={Route.useRouteContext().account} />;
}

function AdminPending() {
  useEffect(markHydrated, []);
  return (
    <main className="grid min-h-dvh place-items-center">
      <p role="status" className="text-muted">
        Loading...
      </p>
    </main>
  );
}
