/**
 * Impersonated views of the portal. The database applies the policies of the member and rejects writes.
 */
import type { QueryClient } from '@tanstack/react-query';
import { createQueryClient } from '../api/query-client.ts';

/**
 * Creates a query cache for an impersonated view, separate from the user's data. Its requests are sent as the member.
 * @param memberId undefined for a client without members
 */
export function createImpersonationCache(clientId: string, memberId: string | undefined): QueryClient {
  const cache = createQueryClient();
  const meta = { asMember: memberId === undefined ? clientId : `${clientId}/${memberId}` };
  cache.setDefaultOptions({ queries: { ...cache.getDefaultOptions().queries, meta }, mutations: { meta } });
  return cache;
}
