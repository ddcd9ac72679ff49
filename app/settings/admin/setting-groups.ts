import { fuzzyScore } from '../../ui/lib/fuzzy-match.ts';
import {
  ACCESS_SETTINGS,
  CHAT_SETTINGS,
  LEAD_SETTINGS,
  MEDIA_SETTINGS,
  type Setting,
  SITE_SETTINGS,
} from '../settings.ts';

export interface SettingGroup {
  /** Id of the heading. */
  id: string;
  heading: string;
  settings: Record<string, Setting>;
}

export const SETTING_GROUPS: SettingGroup[] = [
  { id: 'group-site', heading: 'Site', settings: SITE_SETTINGS },
  { id: 'group-chat', heading: 'Chat assistant', settings: CHAT_SETTINGS },
  { id: 'group-leads', heading: 'Leads', settings: LEAD_SETTINGS },
  { id: 'group-media', heading: 'Media', settings: MEDIA_SETTINGS },
  { id: 'group-access', heading: 'Access', settings: ACCESS_SETTINGS },
];

/**
 * Returns the keys of the settings whose group, label, help or key contains every word of the search. If there are no
 * such settings, tolerates typos and compares only labels.
 */
export function matchingSettings(search: string): Set<string> {
  const words = search.toLowerCase().split(/\s+/);
  const all = SETTING_GROUPS.flatMap(({ heading, settings }) =>
    Object.entries(settings).map(([key, { label, help }]) => ({
      key,
      label,
      text: `${heading} ${label} ${help} ${key}`.toLowerCase(),
    })),
  );
  const exact = all.filter(({ text }) => words.every((word) => text.includes(word)));
  const matches = exact.length > 0 ? exact : all.filter(({ label }) => fuzzyScore(search, label) > 0);
  return new Set(matches.map(({ key }) => key));
}
