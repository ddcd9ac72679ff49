/** What items, page sections and settings were before, see supabase/migrations: content_versions. */
import { queryOptions } from '@tanstack/react-query';
import { sessionApi } from './api.ts';
import { editorNames } from './editor-names.ts';
import type { Row } from './tables.ts';

/** What has a history: a table, and in it an id, 'home/hero' for a section of a page, or the key of a setting. */
export interface VersionedItem {
  kind: string;
  itemId: string;
}

export interface ContentVersion {
  id: number;
  action: 'before' | 'created' | 'changed' | 'deleted' | 'restored';
  /** The columns that changed. */
  changes: string[];
  /** Undefined where no account did it, or the account is deleted. */
  author: string | undefined;
  at: string;
}

/** A row as it was. */
export type VersionData = Record<string, unknown>;

/** The versions of an item, the newest first, without what they say. */
export function versionsQuery({ kind, itemId }: VersionedItem) {
  return queryOptions({
    queryKey: ['content_versions', kind, itemId],
    staleTime: 0,
    queryFn: async ({ signal }): Promise<ContentVersion[]> => {
      const { data } = await (await sessionApi())
        .from('content_versions')
        .select('id, action, changes, author_id, created_at')
        .eq('kind', kind)
        .eq('item_id', itemId)
        .order('id', { ascending: false })
        .abortSignal(signal)
        .throwOnError();
      const names = await editorNames(data.map(({ author_id }) => author_id));
      return data.map(({ author_id, created_at, action, ...version }) => ({
        ...version,
        action: readAction(action),
        author: author_id === null ? undefined : names.get(author_id),
        at: created_at,
      }));
    },
  });
}

/** What one version says; it never changes. Null when it is not kept any more. */
export function versionDataQuery(id: number) {
  return queryOptions({
    queryKey: ['content_versions', 'data', id],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<VersionData | null> => {
      const { data } = await (await sessionApi())
        .from('content_versions')
        .select('data')
        .eq('id', id)
        .abortSignal(signal)
        .throwOnError();
      return asRow(data[0]?.data);
    },
  });
}

function asRow(data: Row<'content_versions'>['data'] | undefined): VersionData | null {
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? data : null;
}

function readAction(action: string): ContentVersion['action'] {
  return action === 'before' || action === 'created' || action === 'deleted' || action === 'restored'
    ? action
    : 'changed';
}
