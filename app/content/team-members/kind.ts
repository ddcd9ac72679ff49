import { Users } from 'lucide-react';
import { KIND_NAMES } from '../../api/places/kind-names.ts';
import { lazy } from '../../ui/lazy.tsx';
import { defineKind } from '../kind.ts';
import { teamMemberSchema } from './schema.ts';

export const teamMembers = defineKind({
  table: 'team_members',
  ...KIND_NAMES.team_members,
  heading: 'Team',
  icon: Users,
  seeAlso: { to: '/admin/people', text: 'The people on the team page.', link: 'Accounts and roles' },
  loadingText: 'Loading...',
  toasts: {
    created: 'Team member created successfully',
    updated: 'Team member updated successfully',
    deleted: 'Team member deleted successfully',
    createFailed: 'Error creating team member',
    updateFailed: 'Error updating team member',
    deleteFailed: 'Error deleting team member',
  },
  schema: teamMemberSchema,
  titleColumn: 'name',
  listColumns: ['id', 'name', 'position', 'avatar_url', 'status', 'display_order', 'updated_at'],
  listOrder: 'display_order, created_at',
  isCounted: false,
  row: (member) => ({
    columns: { Position: member.position },
    thumbnail: { shape: 'person', src: member.avatar_url },
  }),
  toRow: (member) => ({ ...member, avatar_url: member.avatar_url || null, social_links: {} }),
  Fields: lazy(() => import('./fields.tsx')),
});
