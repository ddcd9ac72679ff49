import { z } from 'zod';
import { displayOrder, imageUrl, optionalText, requiredText, status } from './content-fields.ts';
import { defineKind } from './editing.ts';

const teamMemberSchema = z.object({
  name: requiredText('Name'),
  position: optionalText('Position'),
  bio: optionalText('Bio', 5000),
  avatar_url: imageUrl,
  status,
  display_order: displayOrder,
});

export const teamMembersKind = defineKind({
  table: 'team_members',
  schema: teamMemberSchema,
  empty: { name: '', position: '', bio: '', avatar_url: '', status: 'published', display_order: 0 },
  listColumns: ['id', 'name', 'position', 'avatar_url', 'status', 'display_order', 'updated_at'],
  searchColumns: ['name', 'position', 'bio'],
  order: [
    { column: 'display_order', ascending: true },
    { column: 'created_at', ascending: true },
  ],
  toRow: (member) => ({ ...member, avatar_url: member.avatar_url || null, social_links: {} }),
});
