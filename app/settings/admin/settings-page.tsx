import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { useState } from 'react';
import type { RestoredVersion } from '../../editing/document-form.tsx';
import { HistoryOpener } from '../../editing/history/history-button.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FORM_WIDTH_CLASS } from '../../ui/form/form-columns.tsx';
import { scrollToHeading } from '../../ui/lib/scroll-to-heading.ts';
import { ItemCount } from '../../ui/list/item-count.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { allSettingsQuery, type SavedSettings } from '../setting-document.ts';
import { matchingSettings, SETTING_GROUPS, type SettingGroup } from './setting-groups.ts';
import { SettingRow } from './setting-row.tsx';
import { SettingsTabs } from './settings-tabs.tsx';

const LABELS = new Map(
  SETTING_GROUPS.flatMap(({ settings }) => Object.entries(settings).map(([key, { label }]) => [key, label])),
);

const HISTORY = { kind: 'site_settings', plural: 'settings', names: LABELS };

/** Lists all settings in groups, with a search and links to the groups. */
export function SettingsPage({ q }: { q: string | undefined }) {
  const { data: saved, error, isPending, refetch } = useQuery(allSettingsQuery);
  const navigate = useNavigate();
  const [restored, setRestored] = useState<RestoredVersion>();
  /** Restored setting. It is shown even if it does not match the search. */
  const [restoredKey, setRestoredKey] = useState<string>();
  const visibleKeys = q ? matchingSettings(q) : new Set(LABELS.keys());
  if (restoredKey) visibleKeys.add(restoredKey);
  const search = (text: string | undefined) => {
    setRestoredKey(undefined);
    void navigate({ to: '/admin/settings', search: text ? { q: text } : {}, replace: true });
  };
  return (
    <div className={clsx(FORM_WIDTH_CLASS, 'grid grid-cols-1 gap-5')}>
      <ScreenHeader
        title="Settings"
        isInline
        action={
          <HistoryOpener
            item={HISTORY}
            order={['value']}
            onRestore={(data, version) => {
              setRestored({ data, version });
              setRestoredKey(version.itemId);
            }}
          />
        }
      />
      <SettingsTabs />
      {isPending && <LoadingGroups />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {saved && (
        <div className="grid grid-cols-1 items-start gap-x-8 gap-y-5 xl:grid-cols-[minmax(0,1fr)_12rem]">
          <div className="grid grid-cols-1 gap-x-5 gap-y-2 xl:sticky xl:top-20 xl:order-last">
            <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
              <SearchBox label="Search settings" value={q} onSearch={search} />
              <ItemCount count={visibleKeys.size} singular="setting" plural="settings" />
            </div>
            {!q && <GroupLinks />}
          </div>
          <div className="grid grid-cols-1 gap-5">
            {SETTING_GROUPS.map((group) => (
              <Group
                key={group.id}
                {...group}
                {...{ saved, matches: visibleKeys, restored }}
                onRestored={() => setRestored(undefined)}
              />
            ))}
            {visibleKeys.size === 0 && (
              <EmptyState
                title="No settings found"
                description="No settings match this search."
                action={
                  <Button variant="secondary" onClick={() => search(undefined)}>
                    Show all settings
                  </Button>
                }
              />
            )}
          </div>
        </div>
      )}
    </div>
  );
}

function GroupLinks() {
  return (
    <nav aria-label="Groups of settings">
      <ul className="flex flex-wrap gap-x-5 xl:grid">
        {SETTING_GROUPS.map(({ id, heading }) => (
          <li key={id}>
            <Link
              to="/admin/settings"
              hash={id}
              onClick={() => scrollToHeading(id)}
              className="flex min-h-11 items-center rounded-sm xl:min-h-9 text-[0.9375rem] text-muted transition-colors duration-150 hover:text-ink"
            >
              {heading}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface GroupProps extends SettingGroup {
  saved: SavedSettings;
  /**
   * Keys of the settings that match the search. The other rows are hidden but stay mounted, so that they keep unsaved
   * changes.
   */
  matches: ReadonlySet<string>;
  restored: RestoredVersion | undefined;
  onRestored: () => void;
}

function Group({ id, heading, settings, saved, matches, restored, onRestored }: GroupProps) {
  const rows = Object.entries(settings);
  return (
    <section aria-labelledby={id} hidden={!rows.some(([key]) => matches.has(key))} className="grid grid-cols-1 gap-2">
      <h2 id={id} tabIndex={-1} className="w-fit scroll-mt-24 rounded-sm font-semibold">
        {heading}
      </h2>
      <Card>
        {rows.map(([key, setting]) => (
          <div
            key={key}
            hidden={!matches.has(key)}
            // A divider between two visible rows.
            className="border-line [:not([hidden])~&]:border-t"
          >
            <SettingRow
              settingKey={key}
              setting={setting}
              saved={saved.get(key)}
              restored={restored?.version.itemId === key ? restored : undefined}
              onRestored={onRestored}
            />
          </div>
        ))}
      </Card>
    </section>
  );
}

function LoadingGroups() {
  return (
    <div className="grid grid-cols-1 gap-3">
      <p role="status" className="text-muted">
        Loading...
      </p>
      <Skeleton className="h-screen rounded-lg" />
    </div>
  );
}
