/** Admin queries and mutations for all kinds of content. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { readAsSignedIn, readPageAsSignedIn } from '../api/as-signed-in.ts';
import { PAGE_SIZE, pageRange } from '../api/paging.ts';
import { parseOrder } from '../api/read-published.ts';
import type { ContentTable, Insert, Update } from '../api/tables.ts';
import { sessionApi } from '../api/visitor-api.ts';
import { type Document, StaleError, type StoredRow, type Versioned } from '../editing/document.ts';
import { UserError } from '../ui/lib/user-error.ts';
import type { ContentKind, ContentRow, RowDetails } from './kind.ts';
import { isContentRow } from './kind.ts';
import { emptyValues } from './schema-fields.ts';

export interface ListFilter {
  search?: string | undefined;
  status?: 'draft' | 'published' | undefined;
  category?: string | undefined;
  /** Defaults to the list's order, or to best match for a search. */
  sort?: ListSort | undefined;
  /** 1-based. */
  page?: number | undefined;
}

export type ListSort = 'changed' | 'newest' | 'title';

/** Item in lists and dialogs. */
export interface ListItem extends RowDetails {
  id: string;
  title: string;
  isPublished: boolean;
  /** True if the item is published with a date in the future. */
  isScheduled: boolean;
  /** Public path, if the item is public and has its own page. */
  publicPath: string | undefined;
  /** Words to highlight and an excerpt of the match. The excerpt is null if only the title matches. */
  match?: { words: readonly string[]; excerpt: string | null };
}

interface ListPage {
  items: ListItem[];
  /** Number of matches. Searches without a filter stop counting at MAX_SEARCH_COUNT. */
  count: number;
}

/** Limit at which `search_content` stops counting. Searches with a filter count all matches. */
export const MAX_SEARCH_COUNT = 1000;

/** Reads a page of 24 items and the total count. */
export function listQuery(kind: ContentKind, filter: ListFilter) {
  const { search = '', status, category, sort, page = 1 } = filter;
  const text = search.trim();
  return queryOptions({
    queryKey: [kind.table, 'list', { page, search: text, status: status ?? 'any', category, sort }],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }): Promise<ListPage> =>
      text === ''
        ? readList(kind, { ...filter, page }, signal)
        : searchList(kind, { ...filter, search: text, page }, signal),
  });
}

async function readList(
  kind: ContentKind,
  filter: ListFilter & { page: number },
  signal: AbortSignal,
): Promise<ListPage> {
  const { status, category, sort, page } = filter;
  const read = readPageAsSignedIn<unknown>(page, (api) => {
    let request = api.from(kind.table).select(kind.listColumns.join(','), { count: 'exact' });
    if (status) request = request.eq('status', status);
    if (category && kind.hasCategories) request = request.match({ category });
    for (const { column, ascending } of parseOrder(sort ? SORTS[sort](kind) : kind.listOrder)) {
      request = request.order(column, { ascending });
    }
    return request.order('id');
  });
  const { items, count } = await read({ signal });
  return { items: items.filter(isContentRow).map((row) => toListItem(kind, row)), count };
}

const SORTS: Record<ListSort, (kind: ContentKind) => string> = {
  changed: () => 'updated_at desc',
  newest: () => 'created_at desc',
  title: ({ titleColumn }) => titleColumn,
};

/** Full-text search over all fields, with typo tolerance. */
async function searchList(
  kind: ContentKind,
  filter: ListFilter & { search: string; page: number },
  signal: AbortSignal,
): Promise<ListPage> {
  const { search, status, category, sort, page } = filter;
  const api = await sessionApi();
  const { data } = await api
    .rpc('search_content', {
      _kind: kind.table,
      _query: search,
      _columns: [...kind.listColumns],
      _limit: PAGE_SIZE,
      _offset: pageRange(page)[0],
      ...(status && { _status: status }),
      ...(category && kind.hasCategories && { _category: category }),
      ...(sort && { _sort: sort }),
    })
    .abortSignal(signal)
    .throwOnError();
  const items = data.flatMap(({ item, words, excerpt }) =>
    isContentRow(item) ? [{ ...toListItem(kind, item), match: { words, excerpt } }] : [],
  );
  return { items, count: data[0]?.total ?? 0 };
}

/** Lists the categories in use, for the filter. */
export function categoriesQuery({ table }: ContentKind) {
  return queryOptions({
    queryKey: [table, 'categories'],
    queryFn: readAsSignedIn((api) => api.rpc('list_categories', { _kind: table }, { get: true })),
  });
}

export interface SearchHit {
  /** Name of a content table, or 'people'. */
  kind: string;
  id: string;
  title: string;
}

/** Searches all kinds and people for the command palette, with typo tolerance. */
export function adminSearchQuery(search: string) {
  return queryOptions({
    queryKey: ['everywhere', search],
    staleTime: 0,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
    queryFn: readAsSignedIn((api) => api.rpc('search_everywhere', { _query: search })),
  });
}

/** Converts a row with at least the list columns to a list item. */
export function toListItem(kind: ContentKind, row: ContentRow): ListItem {
  const isPublished = row.status === 'published';
  const isScheduled = isPublished && Date.parse(kind.publicFrom?.(row) ?? '') > Date.now();
  return {
    ...kind.row(row),
    id: row.id,
    title: String(row[kind.titleColumn]),
    isPublished,
    isScheduled,
    publicPath: isPublished && !isScheduled ? kind.publicPath?.(row) : undefined,
  };
}

/** Counts the items of each kind, including drafts, without reading the rows. */
export function countsQuery(kinds: readonly ContentKind[]) {
  return queryOptions({
    queryKey: ['content_counts'],
    queryFn: ({ signal }) => countItems(kinds, signal),
    staleTime: 0,
  });
}

export function draftCountsQuery(kinds: readonly ContentKind[]) {
  return queryOptions({
    queryKey: ['content_counts', 'drafts'],
    queryFn: ({ signal }) => countItems(kinds, signal, 'draft'),
    staleTime: 0,
  });
}

async function countItems(kinds: readonly ContentKind[], signal: AbortSignal, status?: 'draft') {
  const api = await sessionApi();
  const counts = kinds.map(async ({ table }) => {
    const all = api.from(table).select('*', { count: 'exact', head: true });
    const items = status ? all.eq('status', status) : all;
    return [table, (await items.abortSignal(signal).throwOnError()).count ?? 0] as const;
  });
  return new Map(await Promise.all(counts));
}

/** Returns the document of an item or, without an id, of a new item. */
export function itemDocument(kind: ContentKind, id?: string): Document {
  const { table, path, singular, schema, toasts } = kind;
  return {
    kind: table,
    ...(id !== undefined && { id }),
    singular,
    formKey: `${path}/${id ?? 'new'}`,
    schema,
    toasts,
    invalidatedQueryKeys: [[table]],
    fromRow: (row) => formValues(kind, row),
    restored: (row) => restorableValues(kind, row),
    toRow: (values) => ({ ...kind.toRow(values) }),
    load: async (signal) => {
      const request = (await sessionApi())
        .from(table)
        .select()
        .eq('id', id ?? '')
        .limit(1);
      const [row] = (await (signal ? request.abortSignal(signal) : request).throwOnError()).data;
      return row ? toVersion(kind, row) : null;
    },
    save: async (values, openedVersion) => {
      const row = kind.toRow(values);
      if (openedVersion && id !== undefined)
        await updateItem(kind, { id, values: row, openedAt: openedVersion.version });
      else await createItem(kind, row);
      return undefined;
    },
  };
}

function toVersion(kind: ContentKind, row: ContentRow): Versioned {
  return { content: formValues(kind, row), version: row.updated_at, row };
}

/** Returns the initial values of an edit form. Does not validate, so that any stored item can be opened. */
export function formValues({ schema }: ContentKind, row: StoredRow): Record<string, unknown> {
  return Object.fromEntries(Object.entries(emptyValues(schema)).map(([field, empty]) => [field, row[field] ?? empty]));
}

/**
 * Columns that keep their values when an older version is restored. Restoring must not publish, unpublish or reorder an
 * item.
 */
const COLUMNS_NOT_RESTORED = new Set(['status', 'display_order']);

/** Returns the form values of an older version, without its status and order. Columns added later are omitted. */
export function restorableValues({ schema }: ContentKind, data: Record<string, unknown>): Record<string, unknown> {
  const fields = Object.entries(emptyValues(schema)).filter(
    ([field]) => field in data && !COLUMNS_NOT_RESTORED.has(field),
  );
  return Object.fromEntries(fields.map(([field, empty]) => [field, data[field] ?? empty]));
}

/**
 * Creates an item.
 *
 * @throws PostgrestError (23505: duplicate slug)
 */
async function createItem({ table }: ContentKind, values: Insert<ContentTable>): Promise<void> {
  await (await sessionApi()).from(table).insert<Insert<ContentTable>>(values).throwOnError();
}

export interface ItemChange {
  id: string;
  values: Update<ContentTable>;
  /** `updated_at` of the opened version, for optimistic locking. */
  openedAt?: string;
}

/**
 * Updates all or some columns of an item.
 *
 * @throws StaleError, PostgrestError (23505: duplicate slug)
 */
async function updateItem(kind: ContentKind, { id, values, openedAt }: ItemChange): Promise<void> {
  const { table } = kind;
  const api = await sessionApi();
  let request = api.from(table).update<Update<ContentTable>>(values).eq('id', id);
  if (openedAt) request = request.eq('updated_at', openedAt);
  const { data } = await request.select().throwOnError();
  if (data.length > 0) return;
  const { data: current } = await api.from(table).select().eq('id', id).maybeSingle().throwOnError();
  throw new StaleError(current && toVersion(kind, current));
}

/**
 * Updates an item from the list view.
 *
 * @throws StaleError if it was deleted, PostgrestError
 */
export function updateMutation(kind: ContentKind) {
  const { table } = kind;
  return mutationOptions({
    mutationKey: [table, 'update'],
    mutationFn: (change: ItemChange) => updateItem(kind, change),
    onSuccess: (_nothing, _change, _result, { client }) => client.invalidateQueries({ queryKey: [table] }),
  });
}

/**
 * Publishes an item after validation.
 *
 * @throws UserError that names the missing fields
 */
export function publishMutation(kind: ContentKind) {
  const { table, schema } = kind;
  return mutationOptions({
    mutationKey: [table, 'publish'],
    mutationFn: async (id: string): Promise<void> => {
      const api = await sessionApi();
      const { data: row } = await api.from(table).select().eq('id', id).single().throwOnError();
      const result = schema.safeParse({ ...formValues(kind, row), status: 'published' });
      if (!result.success) throw new UserError(`${result.error.issues.map(({ message }) => message).join('. ')}.`);
      await api.from(table).update<Update<ContentTable>>({ status: 'published' }).eq('id', id).throwOnError();
    },
    onSuccess: (_nothing, _id, _result, { client }) => client.invalidateQueries({ queryKey: [table] }),
  });
}

/** Deletes an item. Succeeds if it is already deleted. */
export function deleteMutation({ table }: ContentKind) {
  return mutationOptions({
    mutationKey: [table, 'delete'],
    mutationFn: async (id: string): Promise<void> => {
      await (await sessionApi()).from(table).delete().eq('id', id).throwOnError();
    },
    onSuccess: (_nothing, _id, _result, { client }) => client.invalidateQueries({ queryKey: [table] }),
  });
}

/** Reorders items, such as those on one page. The positions of all other items stay the same. */
export function reorderMutation({ table }: ContentKind) {
  return mutationOptions({
    mutationKey: [table, 'reorder'],
    mutationFn: async (ids: string[]): Promise<void> => {
      await (await sessionApi()).rpc('reorder_items', { _table: table, _ids: ids }).throwOnError();
    },
    onSuccess: (_nothing, _ids, _result, { client }) => client.invalidateQueries({ queryKey: [table] }),
  });
}
