import {
  CalendarDays,
  CodeXml,
  Eye,
  FileStack,
  Handshake,
  Images,
  Inbox,
  LayoutDashboard,
  type LucideIcon,
  MessagesSquare,
  Rocket,
  Settings,
  UserCog,
} from 'lucide-react';
import { KINDS } from '../content/kinds.ts';

/** Sidebar groups, in order. */
export const GROUPS = ['Content', 'Sales', 'Assistant', 'Site'] as const;

export interface Section {
  path: string;
  label: string;
  icon: LucideIcon;
  /** Undefined for the dashboard, which is above all groups. */
  group?: (typeof GROUPS)[number];
  /** Path of a related page that also belongs to the section. */
  relatedPath?: string;
}

/** Admin sections in sidebar order. The route of /admin/leads is leads/leads.route.tsx. */
export const SECTIONS: readonly Section[] = [
  { path: '/admin/dashboard', label: 'Dashboard', icon: LayoutDashboard },
  ...KINDS.map(
    ({ path, heading, icon }): Section => ({ path: `/admin/${path}`, label: heading, icon, group: 'Content' }),
  ),
  { path: '/admin/pages', label: 'Pages', icon: FileStack, group: 'Content', relatedPath: '/admin/links' },
  { path: '/admin/releases', label: 'Releases', icon: Rocket, group: 'Content' },
  { path: '/admin/media', label: 'Media', icon: Images, group: 'Content' },
  { path: '/admin/previews', label: 'Preview links', icon: Eye, group: 'Content' },
  { path: '/admin/leads', label: 'Leads', icon: Inbox, group: 'Sales' },
  { path: '/admin/bookings', label: 'Bookings', icon: CalendarDays, group: 'Sales' },
  { path: '/admin/clients', label: 'Clients', icon: Handshake, group: 'Sales' },
  { path: '/admin/conversations', label: 'Conversations', icon: MessagesSquare, group: 'Assistant' },
  { path: '/admin/embed', label: 'Chat embed', icon: CodeXml, group: 'Assistant' },
  { path: '/admin/people', label: 'People', icon: UserCog, group: 'Site' },
  { path: '/admin/settings', label: 'Settings', icon: Settings, group: 'Site' },
];
