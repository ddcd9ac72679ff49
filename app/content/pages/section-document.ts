import { mutationOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { sessionApi } from '../../api/visitor-api.ts';
import { type Document, NOT_SAVED, VERSION_HEADER, type Versioned, writeIfCurrent } from '../../editing/document.ts';
import { readSectionValues } from './read.ts';
import { getSection, type PageSlug, type SectionName } from './sections.ts';

export interface SectionDocument extends Document {
  /** Deletes the saved content. See resetSectionMutation(). */
  reset(version: string): Promise<Versioned>;
}

/**
 * Deletes the saved content of a section and returns its defaults.
 *
 * @throws StaleError if the section was changed since it was opened
 */
export function resetSectionMutation({ kind, id, reset }: SectionDocument) {
  return mutationOptions({
    mutationKey: [kind, id, 'reset'],
    mutationFn: reset,
    onSuccess: (_reset, _opened, _result, { client }) => client.invalidateQueries({ queryKey: [kind] }),
  });
}

/** Returns the document of a section. The `{site}` placeholder is kept, so that editors can see and change it.
 *
 * @param schema validation on save, if stricter than on read
 */
export function sectionDocument<Page extends PageSlug>(
  page: Page,
  name: SectionName<Page>,
  schema: z.ZodObject = getSection(page, name).schema,
): SectionDocument {
  const key = { page_slug: page, section_name: name };
  const load = async (signal?: AbortSignal): Promise<Versioned> => {
    const api = await sessionApi();
    const request = api.from('page_content').select('content, updated_at').match(key);
    const { data } = await (signal ? request.abortSignal(signal) : request).throwOnError();
    return {
      content: readSectionValues(page, name, data[0]?.content),
      version: data[0]?.updated_at ?? NOT_SAVED,
    };
  };
  const toRow = (values: object) => ({ ...key, content: JSON.stringify(values), content_type: 'json' });
  return {
    kind: 'page_content',
    id: `${page}/${name}`,
    singular: 'section',
    formKey: `pages/${page}/${name}`,
    schema,
    toasts: {
      created: 'Content updated successfully',
      updated: 'Content updated successfully',
      createFailed: 'Error updating content',
      updateFailed: 'Error updating content',
    },
    invalidatedQueryKeys: [['page_content']],
    fromRow: ({ content }) => readSectionValues(page, name, String(content)),
    toRow,
    load,
    loadRow: async () => {
      const api = await sessionApi();
      return (await api.from('page_content').select().match(key).maybeSingle().throwOnError()).data;
    },
    save: async (values, openedVersion) => {
      const request = (await sessionApi())
        .from('page_content')
        .upsert(toRow(values), { onConflict: 'page_slug,section_name' })
        .setHeader(VERSION_HEADER, openedVersion?.version ?? NOT_SAVED)
        .select('updated_at');
      return (await writeIfCurrent(request, load))?.[0]?.updated_at;
    },
    reset: async (version) => {
      const api = await sessionApi();
      await writeIfCurrent(api.from('page_content').delete().match(key).setHeader(VERSION_HEADER, version), load);
      return { content: getSection(page, name).defaults, version: NOT_SAVED };
    },
  };
}
