import { queryOptions } from '@tanstack/react-query';
import { publicApi } from './api.ts';
import type { Database } from './database.types.ts';

type TeamMember = Database['public']['Tables']['team_members']['Row'];

const SUMMARY = 'id, name, position, bio, avatar_url' as const;

export type PublishedTeamMember = Pick<TeamMember, 'id' | 'name' | 'position' | 'bio' | 'avatar_url'>;

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
