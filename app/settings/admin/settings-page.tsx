import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { useState } from 'react';
import type { RestoredVersion } from '../../editing/document-form.tsx';
import { HistoryOpener } from '../../editing/history/history-button.tsx';
import { FORM_WIDTH_CLASS } from '../../ui/form/form-columns.tsx';
import { focusPart } from '../../ui/lib/focus-part.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { allSettingsQuery, type SavedSettings } from '../setting-document.ts';
import {
  ACCESS_SETTINGS,
  CHAT_SETTINGS,
  LEAD_SETTINGS,
  MEDIA_SETTINGS,
  type Setting,
  SITE_SETTINGS,
} from '../settings.ts';
import { SettingCard } from './setting-card.tsx';
import { SettingsTabs } from './settings-tabs.tsx';

interface Group {
  /** Id of the heading. */
  id: string;
  heading: string;
  settings: Record<string, Setting>;
}

const GROUPS: Group[] = [
  { id: 'group-site', heading: 'Site', settings: SITE_SETTINGS },
  { id: 'group-chat', heading: 'Chat assistant', settings: CHAT_SETTINGS },
  { id: 'group-leads', heading: 'Leads', settings: LEAD_SETTINGS },
  { id: 'group-media', heading: 'Media', settings: MEDIA_SETTINGS },
  { id: 'group-access', heading: 'Access', settings: ACCESS_SETTINGS },
];

const HISTORY = {
  kind: 'site_settings',
  together: 'settings',
  names: new Map(GROUPS.flatMap(({ settings }) => Object.entries(settings).map(([key, { label }]) => [key, label]))),
};

/** All settings in groups, each with its own save button, and links to the groups. */
export function SettingsPage() {
  const { data: saved, error, isPending, refetch } = useQuery(allSettingsQuery);
  const [restored, setRestored] = useState<RestoredVersion>();
  return (
    <div className={clsx(FORM_WIDTH_CLASS, 'grid grid-cols-1 gap-6')}>
      <ScreenHeader
        title="Settings"
        isBeside
        action={
          <HistoryOpener
            item={HISTORY}
            order={['value']}
            onRestore={(data, version) => setRestored({ data, version })}
          />
        }
      />
      <SettingsTabs />
      {isPending && <LoadingCards />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {saved && (
        <div className="grid grid-cols-1 items-start gap-x-12 gap-y-6 xl:grid-cols-[minmax(0,1fr)_17.5rem]">
          <Groups />
          <div className="grid grid-cols-1 gap-8">
            {GROUPS.map((group) => (
              <SettingGroup
                key={group.id}
                {...group}
                saved={saved}
                restored={restored}
                onRestored={() => setRestored(undefined)}
              />
            ))}
          </div>
        </div>
      )}
    </div>
  );
}

function Groups() {
  return (
    <nav
      aria-label="Groups of settings"
      className="xl:sticky xl:top-20 xl:order-last xl:border-l xl:border-line xl:pl-5"
    >
      <ul className="flex flex-wrap gap-x-5 xl:grid">
        {GROUPS.map(({ id, heading }) => (
          <li key={id}>
            <Link
              to="/admin/settings"
              hash={id}
              onClick={() => focusPart(id)}
              className="flex min-h-9 items-center rounded-sm text-[0.9375rem] text-muted transition-colors duration-150 hover:text-ink"
            >
              {heading}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface SettingGroupProps extends Group {
  saved: SavedSettings;
  restored: RestoredVersion | undefined;
  onRestored: () => void;
}

function SettingGroup({ id, heading, settings, saved, restored, onRestored }: SettingGroupProps) {
  return (
    <section aria-labelledby={id} className="grid grid-cols-1 gap-3">
      <h2 id={id} tabIndex={-1} className="w-fit scroll-mt-24 rounded-sm text-lg font-semibold">
        {heading}
      </h2>
      {Object.entries(settings).map(([key, setting]) => (
        <SettingCard
          key={key}
          settingKey={key}
          setting={setting}
          saved={saved.get(key)}
          restored={restored?.version.itemId === key ? restored : undefined}
          onRestored={onRestored}
        />
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
