import { createFileRoute } from '@tanstack/react-router';
import { SettingInRelease } from './setting-in-release.tsx';
import { SettingsPage } from './settings-page.tsx';

export const Route = createFileRoute('/_gate/admin/settings')({
  validateSearch: ({ release, setting }: Record<string, unknown>): { release?: string; setting?: string } =>
    typeof release === 'string' && typeof setting === 'string' ? { release, setting } : {},
  component: SettingsRoute,
});

function SettingsRoute() {
  const { release, setting } = Route.useSearch();
  if (release && setting) return <SettingInRelease releaseId={release} settingKey={setting} />;
  return <SettingsPage />;
}
