/** Earlier versions of items, page sections and settings. See supabase/schemas/editing. */
import { queryOptions } from '@tanstack/react-query';
import { editorNames } from '../../accounts/editor-names.ts';
import type { Row } from '../../api/tables.ts';
import { sessionApi } from '../../api/visitor-api.ts';

/** Key of a versioned item: a table with an id, 'home/hero' for a section, or the key of a setting. */
export interface VersionedItem {
  kind: string;
  itemId: string;
}

/** Maximum number of versions to read. A single item never has more, but several items together can. */
const MAX_VERSIONS = 200;

export interface ContentVersion {
  id: number;
  itemId: string;
  action: 'before' | 'created' | 'changed' | 'deleted' | 'restored';
  /** Changed columns. */
  changes: string[];
  /** Undefined for scripts and deleted accounts. */
  author: string | undefined;
  at: string;
}

/** A stored row. */
export type VersionData = Record<string, unknown>;

/** Reads the versions of items of a kind without their content, newest first. */
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
        .limit(MAX_VERSIONS)
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
  /** Title of the item at that time. Empty for sections and settings. */
  title: string;
}

/** Number of recent changes scanned for the latest change of each item. */
const SCANNED_CHANGES = 60;

/** Reads the latest change of the most recently changed items. `titleColumns` lists the title columns of all kinds. */
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
        // The state before the first recorded change has no author.
        .neq('action', 'before')
        // The database writes these settings when call hours are saved.
        .not('item_id', 'in', '(booking,site_time_zone)')
        .order('id', { ascending: false })
        .limit(SCANNED_CHANGES)
        .abortSignal(signal)
        .overrideTypes<VersionRow[], { merge: false }>()
        .throwOnError();
      const latestChanges = data.filter(
        ({ kind, item_id }, index) =>
          index === data.findIndex((other) => other.kind === kind && other.item_id === item_id),
      );
      const visibleChanges = latestChanges.slice(0, limit);
      const names = await editorNames(visibleChanges.map(({ author_id }) => author_id));
      return visibleChanges.map((row) => ({
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

/** Reads the content of a version, which is immutable. Null if it is no longer stored. */
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
