import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { sessionApi } from '../api/visitor-api.ts';
import { type Document, NOT_SAVED, VERSION_HEADER, type Versioned, writeOver } from '../editing/document.ts';
import { mergeSettings } from './merge-settings.ts';
import type { Setting } from './settings.ts';

/** Saved settings by their keys. */
export type SavedSettings = ReadonlyMap<string, Versioned<string>>;

/** Every saved setting by its key, the private ones too. */
export const allSettingsQuery = queryOptions({
  queryKey: ['site_settings', 'all'],
  queryFn: ({ signal }) => readSettings(undefined, signal),
});

/** Reads the saved values of settings by their keys: of some, or of all. */
export async function readSettings(keys?: readonly string[], signal?: AbortSignal): Promise<SavedSettings> {
  const all = (await sessionApi()).from('site_settings').select('setting_key, setting_value, updated_at');
  const request = keys ? all.in('setting_key', keys) : all.order('setting_key');
  const { data } = await (signal ? request.abortSignal(signal) : request).throwOnError();
  return new Map(data.map((row) => [row.setting_key, { content: row.setting_value, version: row.updated_at }]));
}

/**
 * Saves one site setting over the version that was opened, and answers the new version.
 * @throws StaleError when another one is saved, with what `load` answers
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
  return (await writeOver(request, load))?.[0]?.updated_at;
}

export const SETTING_TOASTS = {
  created: 'Setting updated successfully',
  updated: 'Setting updated successfully',
  createFailed: 'Error updating setting',
  updateFailed: 'Error updating setting',
};

export interface SettingDocument extends Document {
  id: string;
  /** Returns the version of the saved setting. The default holds while nothing is saved, or an empty text. */
  held(saved: Versioned<string> | undefined): Versioned;
}

/** One setting, whose form has the field `value`. */
export function settingDocument(key: string, setting: Setting): SettingDocument {
  const held = (saved: Versioned<string> | undefined): Versioned => ({
    content: { value: saved?.content.trim() ? saved.content : setting.default },
    version: saved?.version ?? NOT_SAVED,
  });
  const load = async (signal?: AbortSignal) => held((await readSettings([key], signal)).get(key));
  return {
    kind: 'site_settings',
    id: key,
    one: 'setting',
    place: `settings/${key}`,
    schema: z.object({ value: setting.schema }),
    toasts: SETTING_TOASTS,
    // Page sections as well: the site's name is in them.
    shownBy: [['site_settings'], ['page_content']],
    held,
    fromRow: ({ setting_value }) => ({ value: String(setting_value) }),
    toRow: ({ value }) => ({ setting_key: key, setting_value: value }),
    load,
    loadRow: async () => {
      const api = await sessionApi();
      return (await api.from('site_settings').select().eq('setting_key', key).maybeSingle().throwOnError()).data;
    },
    save: ({ value }, opened) => saveSetting(key, { content: value, version: opened?.version ?? NOT_SAVED }, load),
    merge: (base, mine, theirs, takesTheirs) => {
      const merge = mergeSettings(base['value'], mine['value'], theirs['value'], takesTheirs);
      return { ...merge, value: { value: merge.value } };
    },
  };
}
