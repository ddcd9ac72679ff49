/** Links of account mails: their types, and the address of the authentication service that uses them up. Browser only. */
import { browserApiEndpoint } from '../api/api-endpoint.ts';

const LINK_TYPES = ['signup', 'invite', 'magiclink', 'recovery', 'email_change'] as const;

export type LinkType = (typeof LINK_TYPES)[number];

export function isLinkType(type: string | undefined): type is LinkType {
  return LINK_TYPES.some((known) => known === type);
}

/**
 * Returns the address that uses the link up and leads to `redirectTo` with a session or with a code. The service checks
 * where it may lead.
 */
export function linkAddress(token: string, type: LinkType, redirectTo: string | undefined): string {
  const query = new URLSearchParams({ token, type, ...(redirectTo && { redirect_to: redirectTo }) });
  return `${browserApiEndpoint().url}/auth/v1/verify?${query}`;
}
