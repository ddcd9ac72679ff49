import { createIsomorphicFn } from '@tanstack/react-start';
import { getRequestUrl } from '@tanstack/react-start/server';
import { requireSiteHost } from './site-host.ts';

/** Origin for canonical URLs: SITE_URL, or the origin of the request if it is not set. Without a trailing slash. */
export const siteOrigin = createIsomorphicFn()
  .server(() => requireSiteHost().siteUrl ?? getRequestUrl().origin)
  .client(() => window.location.origin);
