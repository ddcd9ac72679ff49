/** Every URL of the site, in one list. Each entry names the path and the file that draws it. */
import { index, layout, rootRoute, route } from '@tanstack/virtual-file-routes';

export const routes = rootRoute('root.tsx', [
  layout('gate', 'gate/route.tsx', [
    layout('site', 'site-layout.tsx', [
      index('site/home/route.tsx'),
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
  ]),
]);
