/** Looking at the rooms of a client as its people see them: the database answers as it answers that member, and takes nothing. */
import type { QueryClient } from '@tanstack/react-query';
import { createQueryClient } from '../api/query-client.ts';

/**
 * Creates a cache of its own for one look, so that nothing of it mixes with what the person reads as themselves. Whatever is
 * asked through it is asked as the member.
 * @param memberId undefined for nobody in particular, at a client without members
 */
export function createLookingCache(clientId: string, memberId: string | undefined): QueryClient {
  const cache = createQueryClient();
  const meta = { asMember: memberId === undefined ? clientId : `${clientId}/${memberId}` };
  cache.setDefaultOptions({ queries: { ...cache.getDefaultOptions().queries, meta }, mutations: { meta } });
  return cache;
}
