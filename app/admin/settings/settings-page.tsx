import { useQuery } from '@tanstack/react-query';
import { allSettingsQuery, type SavedSettings } from '../../data/settings/setting-document.ts';
import {
  ACCESS_SETTINGS,
  CHAT_SETTINGS,
  LEAD_SETTINGS,
  MEDIA_SETTINGS,
  type Setting,
  SITE_SETTINGS,
} from '../../data/settings/settings.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { SettingCard } from './setting-card.tsx';
import { SettingsTabs } from './settings-tabs.tsx';

export function SettingsPage() {
  const { data: saved, error, isPending, refetch } = useQuery(allSettingsQuery);
  return (
    <div className="grid max-w-[60rem] grid-cols-1 gap-6">
      <ScreenHeader title="Settings" />
      <SettingsTabs />
      {isPending && <LoadingCards />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {saved && (
        <>
          <SettingGroup heading="Site" settings={SITE_SETTINGS} saved={saved} />
          <SettingGroup heading="Chat assistant" settings={CHAT_SETTINGS} saved={saved} />
          <SettingGroup heading="Leads" settings={LEAD_SETTINGS} saved={saved} />
          <SettingGroup heading="Media" settings={MEDIA_SETTINGS} saved={saved} />
          <SettingGroup heading="Access" settings={ACCESS_SETTINGS} saved={saved} />
        </>
      )}
    </div>
  );
}

interface SettingGroupProps {
  heading: string;
  settings: Record<string, Setting>;
  saved: SavedSettings;
}

function SettingGroup({ heading, settings, saved }: SettingGroupProps) {
  return (
    <section className="grid grid-cols-1 gap-3">
      <h2 className="font-mono text-label text-muted">{heading}</h2>
      {Object.entries(settings).map(([key, setting]) => (
        <SettingCard key={key} settingKey={key} setting={setting} saved={saved.get(key)} />
      ))}
    </section>
  );
}

function LoadingCards() {
  return (
    <div className="grid grid-cols-1 gap-3">
      <p role="status" className="text-muted">
        Loading...
      </p>
      {['a', 'b', 'c', 'd'].map((key) => (
        <Skeleton key={key} className="h-32 rounded-lg" />
      ))}
    </div>
  );
}
