import { createFileRoute } from '@tanstack/react-router';
import { readListSearch } from '../../ui/list/list-search.ts';
import { SettingInRelease } from './setting-in-release.tsx';
import { SettingsPage } from './settings-page.tsx';

interface SettingsSearch {
  /** Search text for the settings. */
  q?: string;
  /** Release and key of a setting, to edit its change in the release. */
  release?: string;
  setting?: string;
}

export const Route = createFileRoute('/_gate/admin/settings')({
  validateSearch: ({ release, setting, q }: Record<string, unknown>): SettingsSearch =>
    typeof release === 'string' && typeof setting === 'string' ? { release, setting } : readListSearch({ q }),
  component: SettingsRoute,
});

function SettingsRoute() {
  const { release, setting, q } = Route.useSearch();
  if (release && setting) return <SettingInRelease releaseId={release} settingKey={setting} />;
  return <SettingsPage q={q} />;
}
