/** Every URL of the site, in one list. Each entry names the path and the file that draws it. */
import { index, rootRoute } from '@tanstack/virtual-file-routes';

export const routes = rootRoute('root.tsx', [index('site/home/route.tsx')]);
