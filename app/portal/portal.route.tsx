import { createFileRoute, Outlet } from '@tanstack/react-router';
import { leavePreview } from '../api/host/preview-base.ts';
import { PortalLoading } from './loading.tsx';

/** Layout of personal pages, which are not indexed by search engines and not rendered on the server. */
export const Route = createFileRoute('/_gate/_site/_portal')({
  ssr: false,
  beforeLoad: ({ location }) => leavePreview(location.href),
  head: () => ({ meta: [{ name: 'robots', content: 'noindex' }] }),
  pendingComponent: PortalLoading,
  component: Outlet,
});
