/** Every URL of the site, in one list. Each entry names the path and the file that draws it. */
import { index, layout, rootRoute, route } from '@tanstack/virtual-file-routes';

export const routes = rootRoute('root.tsx', [
  route('/robots.txt', 'sharing/robots.ts'),
  route('/sitemap.xml', 'sharing/sitemap.ts'),
  route('/rss.xml', 'sharing/rss.ts'),
  route('/site.webmanifest', 'sharing/manifest.ts'),
  route('/og.png', 'sharing/og-image-route.ts'),
  route('/chat-embed/status', 'site/chat-embed/status-route.ts'),
  layout('gate', 'gate/route.tsx', [
    layout('site', 'site-layout.tsx', [
      index('site/home/route.tsx'),
      route('/about', 'site/about/route.tsx'),
      route('/services', 'site/services/route.tsx'),
      route('/projects', 'site/projects/route.tsx'),
      route('/news', 'site/news/route.tsx'),
      route('/news/$slug', 'site/news-article/route.tsx'),
      route('/contact', 'site/contact/route.tsx'),
      layout('portal', 'portal/layout.tsx', [
        route('/auth', 'auth/route.tsx'),
        route('/auth/reset-password', 'auth/reset-password-route.tsx'),
        route('/account', 'portal/account/route.tsx'),
        route('/client-dashboard', 'portal/client-dashboard/route.tsx'),
        route('/client-dashboard/report', 'portal/client-dashboard/report-route.tsx'),
        route('/team-dashboard', 'portal/team-dashboard/route.tsx'),
        route('/pending-approval', 'portal/pending-approval/route.tsx'),
      ]),
    ]),
    route('/chat-embed', 'site/chat-embed/route.tsx'),

    route('/admin', 'admin/route.tsx', [
      route('/dashboard', 'admin/dashboard/route.tsx'),
      route('/pages', 'admin/pages/route.tsx'),
      route('/pages/home', 'admin/pages/home/route.tsx'),
      route('/pages/headers', 'admin/pages/headers/route.tsx'),
      route('/pages/about', 'admin/pages/about/route.tsx'),
      route('/media', 'admin/media/route.tsx'),
      route('/conversations', 'admin/conversations/list/route.tsx'),
      route('/conversations/$id', 'admin/conversations/transcript/route.tsx'),
      route('/embed', 'admin/embed/route.tsx'),
      // posts, projects, services, reviews, team: app/admin/content/screens.ts
      route('/$kind', 'admin/content/kind/route.tsx', [
        index('admin/content/list/route.tsx'),
        route('/new', 'admin/content/new/route.tsx'),
        route('/$id/edit', 'admin/content/edit/route.tsx'),
      ]),
      route('/settings', 'admin/settings/route.tsx'),
    ]),
    route('/admin-dashboard', 'admin/dashboard-address/route.tsx'),
  ]),
]);
