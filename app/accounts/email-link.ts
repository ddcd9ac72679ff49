/** Types of links in account emails, and the URLs that open them at the authentication service. Browser only. */
import { browserApiEndpoint } from '../api/api-endpoint.ts';

const LINK_TYPES = ['signup', 'invite', 'magiclink', 'recovery', 'email_change'] as const;

export type LinkType = (typeof LINK_TYPES)[number];

export function isLinkType(type: string | undefined): type is LinkType {
  return LINK_TYPES.some((linkType) => linkType === type);
}

/**
 * Builds the URL that consumes a link and redirects to `redirectTo` with a session or code. The service validates
 * `redirectTo`.
 */
export function linkUrl(token: string, type: LinkType, redirectTo: string | undefined): string {
  const query = new URLSearchParams({ token, type, ...(redirectTo && { redirect_to: redirectTo }) });
  return `${browserApiEndpoint().url}/auth/v1/verify?${query}`;
}
