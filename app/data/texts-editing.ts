/** How the admin area saves page sections and site settings. */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { sessionApi } from './api.ts';
import { readSectionContent } from './page-content/read.ts';
import type { PageSlug, SectionContent, SectionName } from './page-content/sections.ts';

/**
 * The content of one section for its editor, with {site} as it is written: read anew whenever the editor opens, and never again while somebody types.
 */
export function editedSectionQuery<Page extends PageSlug, Name extends SectionName<Page>>(page: Page, name: Name) {
  return queryOptions({
    queryKey: ['editing', 'page_content', page, name],
    queryFn: async ({ signal }): Promise<SectionContent<Page, Name>> => {
      const api = await sessionApi();
      const { data } = await api
        .from('page_content')
        .select('content')
        .eq('page_slug', page)
        .eq('section_name', name)
        .abortSignal(signal)
        .throwOnError();
      return readSectionContent(page, name, data[0]?.content);
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** Saves one section of a page, whether or not it was saved before. */
export function saveSectionMutation<Page extends PageSlug, Name extends SectionName<Page>>(page: Page, name: Name) {
  return mutationOptions({
    mutationKey: ['page_content', page, name],
    mutationFn: async (content: SectionContent<Page, Name>): Promise<void> => {
      const api = await sessionApi();
      await api
        .from('page_content')
        .upsert(
          { page_slug: page, section_name: name, content: JSON.stringify(content), content_type: 'json' },
          { onConflict: 'page_slug,section_name' },
        )
        .throwOnError();
    },
    onSuccess: (_nothing, _content, _result, { client }) => client.invalidateQueries({ queryKey: ['page_content'] }),
  });
}

/** Forgets what was saved for one section, so that its built-in content shows again. */
export function resetSectionMutation<Page extends PageSlug>(page: Page, name: SectionName<Page>) {
  return mutationOptions({
    mutationKey: ['page_content', page, name, 'reset'],
    mutationFn: async (): Promise<void> => {
      const api = await sessionApi();
      await api.from('page_content').delete().eq('page_slug', page).eq('section_name', name).throwOnError();
    },
    onSuccess: (_nothing, _content, _result, { client }) => client.invalidateQueries({ queryKey: ['page_content'] }),
  });
}

/** Every saved setting by its key, the private ones too. */
export const allSettingsQuery = queryOptions({
  queryKey: ['site_settings', 'all'],
  queryFn: async ({ signal }): Promise<Map<string, string>> => {
    const api = await sessionApi();
    const { data } = await api
      .from('site_settings')
      .select('setting_key, setting_value')
      .order('setting_key')
      .abortSignal(signal)
      .throwOnError();
    return new Map(data.map(({ setting_key, setting_value }) => [setting_key, setting_value]));
  },
});

/** Saves one site setting. */
export const saveSettingMutation = mutationOptions({
  mutationKey: ['site_settings'],
  mutationFn: async (setting: { setting_key: string; setting_value: string }): Promise<void> => {
    const api = await sessionApi();
    await api.from('site_settings').upsert(setting, { onConflict: 'setting_key' }).throwOnError();
  },
  // Page sections as well: the site's name is in them.
  onSuccess: (_nothing, _setting, _result, { client }) =>
    Promise.all([
      client.invalidateQueries({ queryKey: ['site_settings'] }),
      client.invalidateQueries({ queryKey: ['page_content'] }),
    ]),
});
