import { createFileRoute, Outlet } from '@tanstack/react-router';
import { PortalLoading } from './loading.tsx';

/** Around everything that is about a person: search engines stay out, and nothing below is rendered on the server. */
export const Route = createFileRoute('/_gate/_site/_portal')({
  ssr: false,
  head: () => ({ meta: [{ name: 'robots', content: 'noindex' }] }),
  pendingComponent: PortalLoading,
  component: Outlet,
});
