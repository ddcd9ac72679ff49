import { createIsomorphicFn } from '@tanstack/react-start';
import { getRequestUrl } from '@tanstack/react-start/server';
import { requireSiteHost } from './site-host.ts';

/** Origin for canonical addresses: SITE_URL, else the one that the visitor used. Without a trailing slash. */
export const siteOrigin = createIsomorphicFn()
  .server(() => requireSiteHost().siteUrl ?? getRequestUrl().origin)
  .client(() => window.location.origin);
