import { Users } from 'lucide-react';
import { lazy } from 'react';
import { teamMembersKind } from '../../data/team-members-editing.ts';
import { defineScreen } from '../content/screen.ts';

export const teamScreen = defineScreen({
  kind: teamMembersKind,
  path: 'team',
  heading: 'Team',
  one: 'team member',
  many: 'team members',
  loadingText: 'Loading...',
  icon: Users,
  titleColumn: 'name',
  card: (member) => ({ facts: [member.position], avatar: member.avatar_url }),
  Fields: lazy(() => import('./team-member-fields.tsx')),
});
