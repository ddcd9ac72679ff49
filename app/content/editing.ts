/** Queries and mutations of the admin area on the kinds of content: list, count, read, save, delete, put in order. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { readAsSignedIn } from '../api/as-signed-in.ts';
import { FAR_PAGE, nearerEnd, PAGE_SIZE, pageRange } from '../api/paging.ts';
import { sortingOf } from '../api/read-published.ts';
import type { ContentTable, Insert, Update } from '../api/tables.ts';
import { sessionApi } from '../api/visitor-api.ts';
import { type Document, StaleError, type StoredRow, type Versioned } from '../editing/document.ts';
import { Refusal } from '../ui/lib/refusal.ts';
import type { ContentKind, ContentRow, RowDetails } from './kind.ts';
import { isContentRow } from './kind.ts';
import { emptyValues } from './schema-fields.ts';

export interface ListFilter {
  search?: string | undefined;
  status?: 'draft' | 'published' | undefined;
  category?: string | undefined;
  /** Order; that of the list, or while searching the best match first, unless told otherwise. */
  sort?: ListSort | undefined;
  /** From 1. */
  page?: number | undefined;
}

export type ListSort = 'changed' | 'newest' | 'title';

/** An item as lists and dialogs show it. */
export interface ListItem extends RowDetails {
  id: string;
  title: string;
  isPublished: boolean;
  /** Published, but not public before a date in the future. */
  isScheduled: boolean;
  /** Path at which visitors find it, when it is public and has a page of its own. */
  publicPath: string | undefined;
  /**
   * Reason why a search found it: the words to mark, and a piece of its text with one of them, if it is not the title
   * alone.
   */
  match?: { words: readonly string[]; excerpt: string | null };
}

interface ListPage {
  items: ListItem[];
  /** Number of all that match; a search counts to SEARCH_COUNTS_TO. */
  count: number;
}

/** Largest number that `search_content` counts to. With a filter it may count further. */
export const SEARCH_COUNTS_TO = 1000;

/** Reads one page of 24 items with the number of all that match. */
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
  const api = await sessionApi();
  const counting = countOf(kind.table, signal, {
    _status: status,
    _category: kind.hasCategories ? category : undefined,
  });
  const { first, last, isFromEnd } = nearerEnd(page, page > FAR_PAGE ? await counting : 0);
  let request = api.from(kind.table).select(kind.listColumns.join(','));
  if (status) request = request.eq('status', status);
  if (category && kind.hasCategories) request = request.match({ category });
  for (const { column, ascending } of sortingOf(sort ? SORTS[sort](kind) : kind.listOrder)) {
    request = request.order(column, { ascending: ascending !== isFromEnd });
  }
  const [{ data }, count] = await Promise.all([
    request
      .order('id', { ascending: !isFromEnd })
      .range(first, last)
      .abortSignal(signal)
      .throwOnError()
      .overrideTypes<ContentRow[], { merge: false }>(),
    counting,
  ]);
  const rows = isFromEnd ? data.toReversed() : data;
  return { items: rows.map((row) => listItem(kind, row)), count };
}

const SORTS: Record<ListSort, (kind: ContentKind) => string> = {
  changed: () => 'updated_at desc',
  newest: () => 'created_at desc',
  title: ({ titleColumn }) => titleColumn,
};

/** Searches all texts of the items, typing errors forgiven. */
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
    isContentRow(item) ? [{ ...listItem(kind, item), match: { words, excerpt } }] : [],
  );
  return { items, count: data[0]?.total ?? 0 };
}

/** Reads the categories that there are, for the filter of a list. */
export function categoriesQuery({ table }: ContentKind) {
  return queryOptions({
    queryKey: [table, 'categories'],
    queryFn: readAsSignedIn((api) => api.rpc('list_categories', { _kind: table }, { get: true })),
  });
}

export interface FoundPlace {
  /** A table of content, or 'people'. */
  kind: string;
  id: string;
  title: string;
}

/** Searches every kind and people for the best few items, typing errors forgiven: for the palette. */
export function everywhereQuery(search: string) {
  return queryOptions({
    queryKey: ['everywhere', search],
    staleTime: 0,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
    queryFn: readAsSignedIn((api) => api.rpc('search_everywhere', { _query: search })),
  });
}

/** Returns an item with what lists say about it, from a row with at least the columns of the list. */
export function listItem(kind: ContentKind, row: ContentRow): ListItem {
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

/** Counts the items of each kind, drafts included: by requests that return a count and no rows. */
export function countsQuery(kinds: readonly ContentKind[]) {
  return queryOptions({
    queryKey: ['content_counts'],
    queryFn: async ({ signal }) => {
      const api = await sessionApi();
      const counts = kinds.map(async ({ table }) => {
        const items = api.from(table).select('*', { count: 'exact', head: true });
        return [table, (await items.abortSignal(signal).throwOnError()).count ?? 0] as const;
      });
      return new Map(await Promise.all(counts));
    },
    staleTime: 0,
  });
}

/** Counts the drafts of each kind. */
export function draftCountsQuery(kinds: readonly ContentKind[]) {
  return queryOptions({
    queryKey: ['content_counts', 'drafts'],
    queryFn: async ({ signal }) => {
      const countDrafts = (table: ContentTable) => countOf(table, signal, { _status: 'draft' });
      return new Map(await Promise.all(kinds.map(async ({ table }) => [table, await countDrafts(table)] as const)));
    },
    staleTime: 0,
  });
}

/** Kept by the database beside the items, so that it takes as long for many as for few. */
async function countOf(
  table: ContentTable,
  signal: AbortSignal,
  filter: { _status?: string | undefined; _category?: string | undefined } = {},
): Promise<number> {
  const asked = { _kind: table, _status: filter._status ?? '', _category: filter._category ?? '' };
  return (await (await sessionApi()).rpc('count_content', asked, { get: true }).abortSignal(signal).throwOnError())
    .data;
}

/** An item as a document; without an id, one that is to be created. */
export function itemDocument(kind: ContentKind, id?: string): Document {
  const { table, path, one, schema, toasts } = kind;
  return {
    kind: table,
    ...(id !== undefined && { id }),
    one,
    place: `${path}/${id ?? 'new'}`,
    schema,
    toasts,
    shownBy: [[table]],
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
      return row ? versionOf(kind, row) : null;
    },
    save: async (values, opened) => {
      const row = kind.toRow(values);
      if (opened && id !== undefined) await updateItem(kind, { id, values: row, openedAt: opened.version });
      else await createItem(kind, row);
      return undefined;
    },
  };
}

function versionOf(kind: ContentKind, row: ContentRow): Versioned {
  return { content: formValues(kind, row), version: row.updated_at, row };
}

/**
 * Returns a form's first values for changing an item. Nothing is checked here, so that any stored item can be opened.
 */
export function formValues({ schema }: ContentKind, row: StoredRow): Record<string, unknown> {
  return Object.fromEntries(Object.entries(emptyValues(schema)).map(([field, empty]) => [field, row[field] ?? empty]));
}

/** Stay as they are when an older version is restored: restoring neither publishes nor hides, nor moves in the list. */
const NOT_RESTORED = new Set(['status', 'display_order']);

/**
 * Returns the values of an older version that come back into the form: of the columns that it had, all but its status
 * and place.
 */
export function restorableValues({ schema }: ContentKind, data: Record<string, unknown>): Record<string, unknown> {
  const fields = Object.entries(emptyValues(schema)).filter(([field]) => field in data && !NOT_RESTORED.has(field));
  return Object.fromEntries(fields.map(([field, empty]) => [field, data[field] ?? empty]));
}

/** Creates an item. @throws PostgrestError (23505: the slug is taken) */
async function createItem({ table }: ContentKind, values: Insert<ContentTable>): Promise<void> {
  await (await sessionApi()).from(table).insert<Insert<ContentTable>>(values).throwOnError();
}

export interface ItemChange {
  id: string;
  values: Update<ContentTable>;
  /** `updated_at` of the item as it was opened: when it has moved on, nothing is written. */
  openedAt?: string;
}

/** Changes an item, wholly or in part. @throws StaleError, PostgrestError (23505: the slug is taken) */
async function updateItem(kind: ContentKind, { id, values, openedAt }: ItemChange): Promise<void> {
  const { table } = kind;
  const api = await sessionApi();
  let request = api.from(table).update<Update<ContentTable>>(values).eq('id', id);
  if (openedAt) request = request.eq('updated_at', openedAt);
  const { data } = await request.select().throwOnError();
  if (data.length > 0) return;
  const { data: current } = await api.from(table).select().eq('id', id).maybeSingle().throwOnError();
  throw new StaleError(current && versionOf(kind, current));
}

/** Changes an item from its list. @throws StaleError when somebody deleted it, PostgrestError */
export function updateMutation(kind: ContentKind) {
  const { table } = kind;
  return mutationOptions({
    mutationKey: [table, 'update'],
    mutationFn: (change: ItemChange) => updateItem(kind, change),
    onSuccess: (_nothing, _change, _result, { client }) => client.invalidateQueries({ queryKey: [table] }),
  });
}

/** Publishes an item by the rules of its form. @throws Refusal that says what is missing */
export function publishMutation(kind: ContentKind) {
  const { table, schema } = kind;
  return mutationOptions({
    mutationKey: [table, 'publish'],
    mutationFn: async (id: string): Promise<void> => {
      const api = await sessionApi();
      const { data: row } = await api.from(table).select().eq('id', id).single().throwOnError();
      const checked = schema.safeParse({ ...formValues(kind, row), status: 'published' });
      if (!checked.success) throw new Refusal(`${checked.error.issues.map(({ message }) => message).join('. ')}.`);
      await api.from(table).update<Update<ContentTable>>({ status: 'published' }).eq('id', id).throwOnError();
    },
    onSuccess: (_nothing, _id, _result, { client }) => client.invalidateQueries({ queryKey: [table] }),
  });
}

/** Deletes an item; deleting what is gone already succeeds. */
export function deleteMutation({ table }: ContentKind) {
  return mutationOptions({
    mutationKey: [table, 'delete'],
    mutationFn: async (id: string): Promise<void> => {
      await (await sessionApi()).from(table).delete().eq('id', id).throwOnError();
    },
    onSuccess: (_nothing, _id, _result, { client }) => client.invalidateQueries({ queryKey: [table] }),
  });
}

/** Puts items, for example those of one page, into the given order on the places that they have among themselves. */
export function reorderMutation({ table }: ContentKind) {
  return mutationOptions({
    mutationKey: [table, 'reorder'],
    mutationFn: async (ids: string[]): Promise<void> => {
      await (await sessionApi()).rpc('reorder_items', { _table: table, _ids: ids }).throwOnError();
    },
    onSuccess: (_nothing, _ids, _result, { client }) => client.invalidateQueries({ queryKey: [table] }),
  });
}
