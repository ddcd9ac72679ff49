import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { sessionApi } from '../api/visitor-api.ts';
import { type Document, NOT_SAVED, VERSION_HEADER, type Versioned, writeIfCurrent } from '../editing/document.ts';
import { mergeSettings } from './merge-settings.ts';
import type { Setting } from './settings.ts';

/** Saved settings by key. */
export type SavedSettings = ReadonlyMap<string, Versioned<string>>;

/** Reads all saved settings, including private ones. */
export const allSettingsQuery = queryOptions({
  queryKey: ['site_settings', 'all'],
  queryFn: ({ signal }) => readSettings(undefined, signal),
});

/** Reads the saved settings with these keys, or all saved settings. */
export async function readSettings(keys?: readonly string[], signal?: AbortSignal): Promise<SavedSettings> {
  const query = (await sessionApi()).from('site_settings').select('setting_key, setting_value, updated_at');
  const request = keys ? query.in('setting_key', keys) : query.order('setting_key');
  const { data } = await (signal ? request.abortSignal(signal) : request).throwOnError();
  return new Map(data.map((row) => [row.setting_key, { content: row.setting_value, version: row.updated_at }]));
}

/**
 * Saves a setting if the opened version is still current.
 * @returns the new version
 * @throws StaleError with the result of `load` if the setting has changed
 */
export async function saveSetting(
  key: string,
  { content, version }: Versioned<string>,
  load: () => Promise<Versioned>,
): Promise<string | undefined> {
  const request = (await sessionApi())
    .from('site_settings')
    .upsert({ setting_key: key, setting_value: content }, { onConflict: 'setting_key' })
    .setHeader(VERSION_HEADER, version)
    .select('updated_at');
  return (await writeIfCurrent(request, load))?.[0]?.updated_at;
}

export const SETTING_TOASTS = {
  created: 'Setting updated successfully',
  updated: 'Setting updated successfully',
  createFailed: 'Error updating setting',
  updateFailed: 'Error updating setting',
};

export interface SettingDocument extends Document {
  id: string;
  /** Content and version of the setting. The content is the default if the saved value is missing or empty. */
  readVersion(saved: Versioned<string> | undefined): Versioned;
}

/** Returns the document of a setting, with the field `value`. */
export function settingDocument(key: string, setting: Setting): SettingDocument {
  const readVersion = (saved: Versioned<string> | undefined): Versioned => ({
    content: { value: saved?.content.trim() ? saved.content : setting.default },
    version: saved?.version ?? NOT_SAVED,
  });
  const load = async (signal?: AbortSignal) => readVersion((await readSettings([key], signal)).get(key));
  return {
    kind: 'site_settings',
    id: key,
    singular: 'setting',
    formKey: `settings/${key}`,
    schema: z.object({ value: setting.schema }),
    toasts: SETTING_TOASTS,
    // Page sections contain the site's name.
    invalidatedQueryKeys: [['site_settings'], ['page_content']],
    readVersion,
    fromRow: ({ setting_value }) => ({ value: String(setting_value) }),
    toRow: ({ value }) => ({ setting_key: key, setting_value: value }),
    load,
    loadRow: async () => {
      const api = await sessionApi();
      return (await api.from('site_settings').select().eq('setting_key', key).maybeSingle().throwOnError()).data;
    },
    save: ({ value }, openedVersion) =>
      saveSetting(key, { content: value, version: openedVersion?.version ?? NOT_SAVED }, load),
    merge: (base, mine, theirs, selectsTheirs) => {
      const merge = mergeSettings(base['value'], mine['value'], theirs['value'], selectsTheirs);
      return { ...merge, value: { value: merge.value } };
    },
  };
}
