import { queryOptions } from '@tanstack/react-query';
import type { WithPictures } from '../../api/pictures.ts';
import { readPublished } from '../../api/read-published.ts';
import type { Selected } from '../../api/tables.ts';

const SUMMARY = 'id, name, position, bio, avatar_url' as const;

export type PublishedTeamMember = WithPictures<Selected<'team_members', typeof SUMMARY>>;

export const publishedTeamMembersQuery = queryOptions({
  queryKey: ['team_members', 'published'],
  queryFn: ({ signal }) =>
    readPublished({ table: 'team_members', columns: SUMMARY, order: ['display_order', 'created_at'] }, signal),
});
