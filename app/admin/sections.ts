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

export interface Section {
  path: string;
  label: string;
  icon: LucideIcon;
}

/** The sections of the admin area in the order of the sidebar: /admin/leads is leads/leads.route.tsx. */
export const SECTIONS: readonly Section[] = [
  { path: '/admin/dashboard', label: 'Dashboard', icon: LayoutDashboard },
  ...KINDS.map(({ path, heading, icon }) => ({ path: `/admin/${path}`, label: heading, icon })),
  { path: '/admin/leads', label: 'Leads', icon: Inbox },
  { path: '/admin/clients', label: 'Clients', icon: Handshake },
  { path: '/admin/people', label: 'People', icon: UserCog },
  { path: '/admin/pages', label: 'Pages', icon: FileStack },
  { path: '/admin/releases', label: 'Releases', icon: Rocket },
  { path: '/admin/media', label: 'Media', icon: Images },
  { path: '/admin/previews', label: 'Preview links', icon: Eye },
  { path: '/admin/conversations', label: 'Conversations', icon: MessagesSquare },
  { path: '/admin/bookings', label: 'Bookings', icon: CalendarDays },
  { path: '/admin/embed', label: 'Chat embed', icon: CodeXml },
  { path: '/admin/settings', label: 'Settings', icon: Settings },
];
