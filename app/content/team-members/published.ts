import { queryOptions } from '@tanstack/react-query';
import { publicApi } from '../../data/api.ts';
import type { Selected } from '../../data/tables.ts';

const SUMMARY = 'id, name, position, bio, avatar_url' as const;

export type PublishedTeamMember = Selected<'team_members', typeof SUMMARY>;

/** Published team members in display order. */
export const publishedTeamMembersQuery = queryOptions({
  queryKey: ['team_members', 'published'],
  queryFn: async ({ signal }): Promise<PublishedTeamMember[]> => {
    const api = await publicApi();
    const { data } = await api
      .from('team_members')
      .select(SUMMARY)
      .eq('status', 'published')
      .order('display_order')
      .order('created_at')
      .abortSignal(signal)
      .throwOnError();
    return data;
  },
});
