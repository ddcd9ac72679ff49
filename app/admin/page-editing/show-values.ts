import type { QueryClient } from '@tanstack/react-query';
import type { PageEditing } from '../../editing/page-editing-context.ts';
import { fillSiteName } from '../../settings/site-name.ts';
import { siteSettingsQuery } from '../../settings/site-settings.ts';
import { formFieldForColumn, isRecord } from './editable-fields.ts';

/** Columns without visible text, and columns that set the position or URL of an item. */
const SKIPPED_COLUMNS = new Set(['id', 'slug', 'status', 'display_order', 'published_date']);

/** Returns a function that puts form values into the queries that the page renders. Invalid values are not shown. */
export function showValuesIn(client: QueryClient): PageEditing['show'] {
  return ({ kind, id = '', schema, toRow }, values) => {
    const { success, data } = schema.safeParse(values);
    if (!success) return;
    if (kind !== 'page_content') {
      client.setQueriesData({ queryKey: [kind, 'published'] }, (cached: unknown) =>
        replaceRow(cached, id, toRow(data)),
      );
      return;
    }
    const [page = '', name = ''] = id.split('/');
    const content = fillSiteName(data, client.getQueryData(siteSettingsQuery.queryKey)?.site_name ?? '');
    if (name === 'footer') client.setQueryData(['page_content', page, name], content);
    else {
      client.setQueryData(['page_content', page], (cached: unknown) =>
        isRecord(cached) && isRecord(cached['sections'])
          ? { ...cached, sections: { ...cached['sections'], [name]: content } }
          : cached,
      );
    }
  };
}

/** Replaces the visible columns of a row, at any depth. */
function replaceRow(cached: unknown, id: string, row: Record<string, unknown>): unknown {
  if (Array.isArray(cached)) return cached.map((inner: unknown) => replaceRow(inner, id, row));
  if (!isRecord(cached)) return cached;
  const isSameRow = cached['id'] === id;
  return Object.fromEntries(
    Object.entries(cached).map(([key, inner]) => {
      if (!isSameRow) return [key, replaceRow(inner, id, row)];
      const field = formFieldForColumn(key);
      return [key, field in row && !SKIPPED_COLUMNS.has(key) ? row[field] : inner];
    }),
  );
}
