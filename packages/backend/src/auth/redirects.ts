/** Redirect targets: the site itself or the entries of AUTH_REDIRECT_URLS, never an arbitrary URL of a request. */
import { BlockList, isIP } from 'node:net';
import type { Config } from '../config.ts';

const PRIVATE_NETWORKS = new BlockList();
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  PRIVATE_NETWORKS.addSubnet(network, prefix, 'ipv4');
}
PRIVATE_NETWORKS.addAddress('::1', 'ipv6');

/**
 * Returns the site's origin: SITE_URL, or the origin of the request. The client sets the Host header, so an
 * attacker could use it to get password recovery links that point to their own server. Without SITE_URL, only
 * `localhost`, HOST and private addresses are therefore accepted. For any other host, links point to `localhost`.
 */
export function siteOrigin(config: Config, requestUrl: URL): string {
  if (config.SITE_URL) return config.SITE_URL;
  const host = requestUrl.hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  const isLocal =
    host === 'localhost' ||
    host === config.HOST ||
    (family !== 0 && PRIVATE_NETWORKS.check(host, family === 6 ? 'ipv6' : 'ipv4'));
  return isLocal ? requestUrl.origin : `http://localhost:${config.PORT}`;
}

/** Returns the requested URL if it is allowed, otherwise the site's root. */
export function allowedRedirect(config: Config, siteUrl: string, requested: string | null | undefined): string {
  if (!requested) return `${siteUrl}/`;
  let url: URL;
  try {
    url = new URL(requested, siteUrl);
  } catch {
    return `${siteUrl}/`;
  }
  return isAllowedRedirect(config, siteUrl, url) ? url.href : `${siteUrl}/`;
}

/** Returns whether a URL belongs to the site or to AUTH_REDIRECT_URLS. */
export function isAllowedRedirect(config: Config, siteUrl: string, url: URL): boolean {
  return (
    !url.username &&
    !url.password &&
    [siteUrl, ...config.AUTH_REDIRECT_URLS].some((entry) => isBelow(url, new URL(entry)))
  );
}

/** Returns whether the URL has the scheme and host of the entry, and a path at or below it. */
function isBelow(url: URL, entry: URL): boolean {
  const folder = entry.pathname.replace(/\/+$/, '');
  return (
    url.protocol === entry.protocol &&
    url.host === entry.host &&
    (url.pathname === folder || url.pathname.startsWith(`${folder}/`))
  );
}
