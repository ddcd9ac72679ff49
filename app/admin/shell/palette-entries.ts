/** Entries of the command palette that are available without a request. */
import type { ParsedLocation } from '@tanstack/react-router';
import {
  CircleUser,
  ExternalLink,
  LogOut,
  type LucideIcon,
  PanelLeft,
  PanelsTopLeft,
  Settings,
  SunMoon,
  UserPlus,
} from 'lucide-react';
import { titleCased } from '../../api/places/kind-names.ts';
import { sectionLink, sectionTitle } from '../../api/places/section-link.ts';
import { KINDS } from '../../content/kinds.ts';
import { sections as pageSections } from '../../content/pages/sections.ts';
import { BRAND_SETTINGS } from '../../settings/brand/brand-assets.ts';
import {
  ACCESS_SETTINGS,
  CHAT_SETTINGS,
  LEAD_SETTINGS,
  MEDIA_SETTINGS,
  SITE_SETTINGS,
} from '../../settings/settings.ts';
import { cycleThemeMode } from '../../settings/theme/theme.ts';
import { bestMatches } from '../../ui/lib/fuzzy-match.ts';
import { SECTIONS } from '../sections.ts';

export interface PaletteEntry {
  /** Unique within the group. */
  key: string;
  label: string;
  icon: LucideIcon;
  /** Link target, or action. */
  to: (Partial<Pick<ParsedLocation, 'hash'>> & { path: string; search?: Record<string, unknown> }) | (() => void);
}

export interface EntryGroup {
  heading: string;
  entries: readonly PaletteEntry[];
}

/** Global actions of the admin shell. */
export interface ShellActions {
  onSignOut: () => void;
  onToggleSidebar: () => void;
}

const sections: PaletteEntry[] = SECTIONS.map(({ path, label, icon }) => ({ key: path, label, icon, to: { path } }));

const creations: PaletteEntry[] = KINDS.map(({ path, singular, icon }) => ({
  key: `new ${path}`,
  label: `New ${titleCased(singular)}`,
  icon,
  to: { path: `/admin/${path}/new` },
}));

const settings: PaletteEntry[] = Object.entries({
  ...SITE_SETTINGS,
  ...CHAT_SETTINGS,
  ...LEAD_SETTINGS,
  ...MEDIA_SETTINGS,
  ...ACCESS_SETTINGS,
}).map(([key, { label }]) => ({ key, label, icon: Settings, to: { path: '/admin/settings', hash: key } }));

const brand: PaletteEntry[] = Object.entries(BRAND_SETTINGS).map(([key, { label }]) => ({
  key,
  label,
  icon: Settings,
  to: { path: '/admin/settings/brand' },
}));

const pageTexts: PaletteEntry[] = Object.entries(pageSections).flatMap(([page, sectionsOfPage]) =>
  Object.keys(sectionsOfPage).map((name) => {
    const { to: path, tab } = sectionLink(page, name);
    return {
      key: `${page}/${name}`,
      label: sectionTitle(page, name),
      icon: PanelsTopLeft,
      to: { path, search: { tab } },
    };
  }),
);

function shellActionEntries({ onSignOut, onToggleSidebar }: ShellActions): PaletteEntry[] {
  return [
    {
      key: 'invite',
      label: 'Invite someone',
      icon: UserPlus,
      to: { path: '/admin/people', search: { invite: true } },
    },
    { key: 'theme', label: 'Change theme', icon: SunMoon, to: cycleThemeMode },
    { key: 'sidebar', label: 'Toggle sidebar', icon: PanelLeft, to: onToggleSidebar },
    { key: 'site', label: 'View site', icon: ExternalLink, to: () => void window.open('/', '_blank', 'noopener') },
    { key: 'account', label: 'Your account', icon: CircleUser, to: { path: '/account' } },
    { key: 'sign out', label: 'Sign out', icon: LogOut, to: onSignOut },
  ];
}

/**
 * Returns the entries that match the text, with the best match of each group first. Returns all sections and actions
 * for an empty text.
 */
export function searchEntries(term: string, shell: ShellActions): EntryGroup[] {
  const actions = [...creations, ...shellActionEntries(shell)];
  if (term === '') {
    return [
      { heading: 'Sections', entries: sections },
      { heading: 'Actions', entries: actions },
    ];
  }
  const findMatching = (entries: PaletteEntry[]) => bestMatches(term, entries, ({ label }) => label);
  return [
    { heading: 'Sections', entries: findMatching(sections) },
    { heading: 'Actions', entries: findMatching(actions) },
    { heading: 'Page sections', entries: findMatching(pageTexts) },
    { heading: 'Settings', entries: findMatching([...settings, ...brand]) },
  ];
}
