/** Earlier versions of items, page sections and settings, see supabase/schemas/editing. */
import { queryOptions } from '@tanstack/react-query';
import { editorNames } from '../../accounts/editor-names.ts';
import type { Row } from '../../api/tables.ts';
import { sessionApi } from '../../api/visitor-api.ts';

/**
 * Key of something with a history: a table, and in it an id, 'home/hero' for a section of a page, or the key of a
 * setting.
 */
export interface VersionedItem {
  kind: string;
  itemId: string;
}

/** Number of versions that are read of several things at once. */
const READ_OF_SEVERAL = 200;

export interface ContentVersion {
  id: number;
  itemId: string;
  action: 'before' | 'created' | 'changed' | 'deleted' | 'restored';
  /** The columns that changed. */
  changes: string[];
  /** Undefined where no account did it, or the account is deleted. */
  author: string | undefined;
  at: string;
}

/** A row as it was. */
export type VersionData = Record<string, unknown>;

/** Reads the versions of one or several items of a kind, the newest first, without what they say. */
export function versionsQuery({ kind, itemId }: { kind: string; itemId: string | readonly string[] }) {
  const ids = typeof itemId === 'string' ? [itemId] : itemId;
  return queryOptions({
    queryKey: ['content_versions', kind, ...ids],
    staleTime: 0,
    queryFn: async ({ signal }): Promise<ContentVersion[]> => {
      const { data } = await (await sessionApi())
        .from('content_versions')
        .select('id, item_id, action, changes, author_id, created_at')
        .eq('kind', kind)
        .in('item_id', ids)
        .order('id', { ascending: false })
        .limit(READ_OF_SEVERAL)
        .abortSignal(signal)
        .throwOnError();
      const names = await editorNames(data.map(({ author_id }) => author_id));
      return data.map(({ author_id, created_at, action, item_id, ...version }) => ({
        ...version,
        itemId: item_id,
        action: readAction(action),
        author: author_id === null ? undefined : names.get(author_id),
        at: created_at,
      }));
    },
  });
}

/** A change to an item, a page section or a setting. */
export interface LatestChange extends ContentVersion {
  kind: string;
  /** Title of the item at that time; empty for items without one, as sections and settings. */
  title: string;
}

/** Number of changes that are read to find the last of each of a few things. */
const LOOKED_THROUGH = 60;

/** Reads the last change of each of the things that were changed last; `titleColumns` are those of all kinds. */
export function latestChangesQuery(limit: number, titleColumns: readonly string[]) {
  return queryOptions({
    queryKey: ['content_versions', 'latest', limit],
    staleTime: 0,
    queryFn: async ({ signal }): Promise<LatestChange[]> => {
      const titles = titleColumns.map((column) => `data->>${column}`);
      const columns = ['id', 'kind', 'item_id', 'action', 'changes', 'author_id', 'created_at', ...titles];
      const { data } = await (await sessionApi())
        .from('content_versions')
        .select(columns.join(', '))
        // Nobody made the version that stood before the first change.
        .neq('action', 'before')
        // The database writes these settings by itself, once hours for calls are saved.
        .not('item_id', 'in', '(booking,site_time_zone)')
        .order('id', { ascending: false })
        .limit(LOOKED_THROUGH)
        .abortSignal(signal)
        .overrideTypes<VersionRow[], { merge: false }>()
        .throwOnError();
      const last = data.filter(
        ({ kind, item_id }, index) =>
          index === data.findIndex((other) => other.kind === kind && other.item_id === item_id),
      );
      const shown = last.slice(0, limit);
      const names = await editorNames(shown.map(({ author_id }) => author_id));
      return shown.map((row) => ({
        id: row.id,
        kind: row.kind,
        itemId: row.item_id,
        action: readAction(row.action),
        changes: row.changes,
        title: titleColumns.map((column) => row[column]).find((title) => typeof title === 'string') ?? '',
        author: row.author_id === null ? undefined : names.get(row.author_id),
        at: row.created_at,
      }));
    },
  });
}

type VersionRow = Omit<Row<'content_versions'>, 'data'> & { [column: string]: unknown };

/** Reads the content of one version, which never changes. Null when it is not kept any more. */
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
