/**
 * Every URL of the site, in one list. Each entry names the path and the file that draws it, which ends with .route.tsx.
 * The build reads this file, no page does.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { index, layout, rootRoute, route } from '@tanstack/virtual-file-routes';

/** Screens of the admin area, each the folder of its name: /admin/leads is admin/leads/leads.route.tsx. */
const screens = readdirSync(join(import.meta.dirname, 'admin')).flatMap((name) => {
  const file = `admin/${name}/${name}.route.tsx`;
  return existsSync(join(import.meta.dirname, file)) ? [route(`/${name}`, file)] : [];
});

export const routes = rootRoute('root.tsx', [
  route('/robots.txt', 'sharing/robots.route.ts'),
  route('/sitemap.xml', 'sharing/sitemap.route.ts'),
  route('/sitemap/$part', 'sharing/sitemap-part.route.ts'),
  route('/rss.xml', 'sharing/rss.route.ts'),
  route('/site.webmanifest', 'sharing/manifest.route.ts'),
  route('/favicon.svg', 'sharing/icons/favicon-svg.route.ts'),
  route('/favicon.ico', 'sharing/icons/favicon-ico.route.ts'),
  route('/apple-touch-icon.png', 'sharing/icons/apple-touch-icon.route.ts'),
  route('/icon/$name', 'sharing/icons/app-icon.route.ts'),
  route('/og.png', 'sharing/og-image.route.ts'),
  route('/chat-embed/status', 'site/chat-embed/status.route.ts'),
  layout('gate', 'gate/gate.route.tsx', [
    layout('site', 'site.route.tsx', [
      index('site/home/home.route.tsx'),
      route('/about', 'site/about/about.route.tsx'),
      route('/services', 'site/services/services.route.tsx'),
      route('/projects', 'site/projects/projects.route.tsx'),
      route('/news', 'site/news/news.route.tsx'),
      route('/news/$slug', 'site/news-article/news-article.route.tsx'),
      route('/contact', 'site/contact/contact.route.tsx'),
      route('/contact/confirm/$token', 'site/contact/confirm.route.tsx'),
      route('/privacy', 'site/legal/privacy.route.tsx'),
      route('/terms', 'site/legal/terms.route.tsx'),
      route('/cookies', 'site/legal/cookies.route.tsx'),
      route('/booking/$token', 'site/booking/booking.route.tsx'),
      route('/approve/$token', 'site/approve/approve.route.tsx'),
      layout('portal', 'portal/portal.route.tsx', [
        route('/auth', 'auth/auth.route.tsx'),
        route('/auth/reset-password', 'auth/reset-password.route.tsx'),
        route('/auth/confirm', 'auth/confirm.route.tsx'),
        route('/account', 'portal/account/account.route.tsx'),
        route('/client-dashboard', 'portal/client-dashboard/client-dashboard.route.tsx'),
        route('/client-dashboard/report', 'portal/client-dashboard/report.route.tsx'),
        route('/reports/$id', 'reports/report.route.tsx'),
        route('/team-dashboard', 'portal/team-dashboard.route.tsx'),
        route('/team-dashboard/clients/$id', 'portal/team-client.route.tsx'),
        route('/pending-approval', 'portal/pending-approval.route.tsx'),
        route('/newsletter/$action', 'site/newsletter/newsletter.route.tsx'),
        route('/oauth/consent', 'portal/oauth-consent.route.tsx'),
      ]),
    ]),
    route('/chat-embed', 'site/chat-embed/chat-embed.route.tsx'),
    route('/admin', 'admin/admin.route.tsx', [
      ...screens,
      route('/pages/home', 'admin/pages/home/home.route.tsx'),
      route('/pages/headers', 'admin/pages/headers.route.tsx'),
      route('/pages/about', 'admin/pages/about.route.tsx'),
      route('/pages/legal', 'admin/pages/legal.route.tsx'),
      route('/media/deleted', 'admin/trash/deleted-media.route.tsx'),
      route('/conversations/asked', 'admin/conversations/asked.route.tsx'),
      route('/conversations/unanswered', 'admin/conversations/unanswered.route.tsx'),
      route('/conversations/checks', 'admin/conversations/checks.route.tsx'),
      route('/conversations/$id', 'admin/conversations/conversation.route.tsx'),
      route('/leads/subscribers', 'admin/leads/subscribers.route.tsx'),
      route('/leads/webhook', 'admin/leads/webhook.route.tsx'),
      route('/leads/$id', 'admin/leads/lead.route.tsx'),
      route('/clients/$id', 'admin/clients/client.route.tsx'),
      route('/people/record', 'admin/people/record.route.tsx'),
      route('/people/$id', 'admin/people/person.route.tsx'),
      route('/releases/$id', 'admin/releases/release.route.tsx'),
      route('/releases/$id/$change', 'admin/content/change.route.tsx'),
      // posts, projects, services, reviews, team: app/content/kinds.ts
      route('/$kind', 'admin/content/kind.route.tsx', [
        index('admin/content/list.route.tsx'),
        route('/new', 'admin/content/new.route.tsx'),
        route('/deleted', 'admin/trash/deleted-items.route.tsx'),
        route('/$id/edit', 'admin/content/edit.route.tsx'),
      ]),
      route('/settings/brand', 'admin/settings/brand/brand.route.tsx'),
    ]),
    route('/admin-dashboard', 'admin/admin-dashboard.route.tsx'),
  ]),
]);
