/** Saves page sections and site settings from the admin area. */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { sessionApi } from '../api/visitor-api.ts';
import { readSectionContent } from '../pages/read.ts';
import type { PageSlug, SectionContent, SectionName } from '../pages/sections.ts';

/** A text with the version it has: its `updated_at`, or NOT_SAVED. */
export interface Versioned<Content> {
  content: Content;
  version: string;
}

/** The version of a text while nothing is saved and its default holds. */
export const NOT_SAVED = 'none';

/** Tells whether a value that was kept in this browser is versioned. */
export function isVersioned(value: unknown): value is Versioned<unknown> {
  return typeof value === 'object' && value !== null && 'content' in value && 'version' in value;
}

/** Header with which the database refuses to write over another version than this one (see refuse_stale_text). */
const VERSION_HEADER = 'x-opened-version';

/** Error of a save when somebody else saved or reset the text since it was opened; `current` is what holds now. */
export class StaleTextError extends Error {
  readonly current: Versioned<unknown>;

  constructor(current: Versioned<unknown>) {
    super('Somebody else changed this after you opened it. Nothing was overwritten.');
    this.current = current;
  }
}

/** Does the write; when it is refused because of its version, reads what holds now. @throws StaleTextError */
async function writeOver<Result>(
  write: PromiseLike<{ data: Result; error: { code: string } | null }>,
  readCurrent: () => Promise<Versioned<unknown>>,
): Promise<Result> {
  const { data, error } = await write;
  if (error?.code === 'PT412') throw new StaleTextError(await readCurrent());
  if (error) throw error;
  return data;
}

async function readSection<Page extends PageSlug, Name extends SectionName<Page>>(
  page: Page,
  name: Name,
  signal?: AbortSignal,
): Promise<Versioned<SectionContent<Page, Name>>> {
  const api = await sessionApi();
  const request = api.from('page_content').select('content, updated_at').eq('page_slug', page).eq('section_name', name);
  const { data } = await (signal ? request.abortSignal(signal) : request).throwOnError();
  const content = readSectionContent(page, name, data[0]?.content);
  return { content, version: data[0]?.updated_at ?? NOT_SAVED };
}

/**
 * Reads the content of one section for its editor, with {site} as it is written: read anew whenever the editor opens,
 * and never again while somebody types.
 */
export function editedSectionQuery<Page extends PageSlug, Name extends SectionName<Page>>(page: Page, name: Name) {
  return queryOptions({
    queryKey: ['editing', 'page_content', page, name],
    queryFn: ({ signal }) => readSection(page, name, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/**
 * Saves one section of a page over the version that was opened, and answers the new version.
 * @throws StaleTextError when another one is saved
 */
export function saveSectionMutation<Page extends PageSlug, Name extends SectionName<Page>>(page: Page, name: Name) {
  return mutationOptions({
    mutationKey: ['page_content', page, name],
    mutationFn: async ({ content, version }: Versioned<SectionContent<Page, Name>>): Promise<string> => {
      const api = await sessionApi();
      const request = api
        .from('page_content')
        .upsert(
          { page_slug: page, section_name: name, content: JSON.stringify(content), content_type: 'json' },
          { onConflict: 'page_slug,section_name' },
        )
        .setHeader(VERSION_HEADER, version)
        .select('updated_at');
      const data = await writeOver(request, () => readSection(page, name));
      return data?.[0]?.updated_at ?? NOT_SAVED;
    },
    onSuccess: (_version, _content, _result, { client }) => client.invalidateQueries({ queryKey: ['page_content'] }),
  });
}

/**
 * Forgets what was saved for one section, so that its built-in content shows again, and answers the version of that.
 * @throws StaleTextError when another version is saved than the one that was opened
 */
export function resetSectionMutation<Page extends PageSlug>(page: Page, name: SectionName<Page>) {
  return mutationOptions({
    mutationKey: ['page_content', page, name, 'reset'],
    mutationFn: async (version: string): Promise<string> => {
      const api = await sessionApi();
      const request = api
        .from('page_content')
        .delete()
        .eq('page_slug', page)
        .eq('section_name', name)
        .setHeader(VERSION_HEADER, version);
      await writeOver(request, () => readSection(page, name));
      return NOT_SAVED;
    },
    onSuccess: (_version, _opened, _result, { client }) => client.invalidateQueries({ queryKey: ['page_content'] }),
  });
}

/** Every saved setting by its key, the private ones too. */
export const allSettingsQuery = queryOptions({
  queryKey: ['site_settings', 'all'],
  queryFn: async ({ signal }): Promise<Map<string, Versioned<string>>> => {
    const api = await sessionApi();
    const { data } = await api
      .from('site_settings')
      .select('setting_key, setting_value, updated_at')
      .order('setting_key')
      .abortSignal(signal)
      .throwOnError();
    return new Map(
      data.map(({ setting_key, setting_value, updated_at }) => [
        setting_key,
        { content: setting_value, version: updated_at },
      ]),
    );
  },
});

/**
 * Returns the value of a setting: its default while nothing is saved; an empty text counts as not saved, on the site as
 * well.
 */
export function heldSetting(saved: Versioned<string> | undefined, unsaved: string): Versioned<string> {
  return { content: saved?.content.trim() ? saved.content : unsaved, version: saved?.version ?? NOT_SAVED };
}

/**
 * Saves one site setting over the version that was opened, and answers the new version.
 * @throws StaleTextError when another one is saved, with what `readCurrent` answers
 */
export async function saveSetting(
  key: string,
  { content, version }: Versioned<string>,
  readCurrent: () => Promise<Versioned<unknown>>,
): Promise<string> {
  const api = await sessionApi();
  const request = api
    .from('site_settings')
    .upsert({ setting_key: key, setting_value: content }, { onConflict: 'setting_key' })
    .setHeader(VERSION_HEADER, version)
    .select('updated_at');
  const data = await writeOver(request, readCurrent);
  return data?.[0]?.updated_at ?? NOT_SAVED;
}

/** Reads the saved values of some settings by their keys. */
export async function readSettings(keys: readonly string[]): Promise<Map<string, Versioned<string>>> {
  const api = await sessionApi();
  const { data } = await api
    .from('site_settings')
    .select('setting_key, setting_value, updated_at')
    .in('setting_key', keys)
    .throwOnError();
  return new Map(data.map((row) => [row.setting_key, { content: row.setting_value, version: row.updated_at }]));
}

/** Saves one site setting by saveSetting(); `unsaved` is its value when nothing is saved. */
export function saveSettingMutation(key: string, unsaved: string) {
  return mutationOptions({
    mutationKey: ['site_settings', key],
    mutationFn: (setting: Versioned<string>): Promise<string> =>
      saveSetting(key, setting, async () => heldSetting((await readSettings([key])).get(key), unsaved)),
    // Page sections as well: the site's name is in them.
    onSuccess: (_version, _setting, _result, { client }) =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['site_settings'] }),
        client.invalidateQueries({ queryKey: ['page_content'] }),
      ]),
  });
}
