/** Every URL of the site, in one list. Each entry names the path and the file that draws it. */
import { index, layout, rootRoute, route } from '@tanstack/virtual-file-routes';

export const routes = rootRoute('root.tsx', [
  layout('gate', 'gate/route.tsx', [
    layout('site', 'site-layout.tsx', [index('site/home/route.tsx'), route('/auth', 'auth/route.tsx')]),
  ]),
]);
