/** What the admin area does with the kinds of content: list, count, read, save, delete, put in order. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { sessionApi } from '../data/api.ts';
import { pageRange } from '../data/paging.ts';
import { sortingOf } from '../data/read-published.ts';
import type { ContentTable, Insert, Update } from '../data/tables.ts';
import { containsFilter } from '../lib/like-pattern.ts';
import type { CardDetails, ContentKind, ContentRow } from './kind.ts';
import { emptyValues } from './schema-fields.ts';

export interface ListFilter {
  search?: string | undefined;
  status?: 'draft' | 'published' | undefined;
  /** From 1. */
  page?: number | undefined;
}

/** An item as lists, dialogs and the palette show it. */
export interface ListItem extends CardDetails {
  id: string;
  title: string;
  isPublished: boolean;
  /** Published, but not public before a date in the future. */
  isScheduled: boolean;
  /** Where visitors find it, when it is public and has a page of its own. */
  publicPath: string | undefined;
}

/** One page of 24 items with the number of all that match. */
export function listQuery(kind: ContentKind, { search = '', status, page = 1 }: ListFilter) {
  return queryOptions({
    queryKey: [kind.table, 'list', { page, search, status: status ?? 'any' }],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<{ items: ListItem[]; count: number }> => {
      let request = (await sessionApi()).from(kind.table).select(kind.listColumns.join(','), { count: 'exact' });
      if (status) request = request.eq('status', status);
      if (search.trim()) request = request.or(containsFilter(kind.searchColumns, search.trim()));
      for (const { column, ascending } of sortingOf(kind.listOrder)) request = request.order(column, { ascending });
      const { data, count, error } = await request
        .order('id')
        .range(...pageRange(page))
        .abortSignal(signal)
        .overrideTypes<ContentRow[], { merge: false }>();
      // The page lies past the end, because items were deleted meanwhile: an empty page, not a fault.
      if (error?.code === 'PGRST103') return { items: [], count: 0 };
      if (error) throw error;
      return { items: data.map((row) => listItem(kind, row)), count: count ?? 0 };
    },
  });
}

/** An item with what lists say about it, from a row with at least the columns of the list. */
export function listItem(kind: ContentKind, row: ContentRow): ListItem {
  const isPublished = row.status === 'published';
  const isScheduled = isPublished && Date.parse(kind.publicFrom?.(row) ?? '') > Date.now();
  return {
    ...kind.card(row),
    id: row.id,
    title: String(row[kind.titleColumn]),
    isPublished,
    isScheduled,
    publicPath: isPublished && !isScheduled ? kind.publicPath?.(row) : undefined,
  };
}

/** How many items of each kind there are, drafts included. */
export function countsQuery(kinds: readonly ContentKind[]) {
  return queryOptions({
    queryKey: ['content_counts'],
    queryFn: async () =>
      new Map(await Promise.all(kinds.map(async ({ table }) => [table, await countOf(table)] as const))),
    staleTime: 0,
  });
}

async function countOf(table: ContentTable): Promise<number> {
  const { count } = await (await sessionApi()).from(table).select('*', { count: 'exact', head: true }).throwOnError();
  return count ?? 0;
}

/**
 * One whole item for a form, or null when it does not exist: always read anew when the form opens, so that its version is
 * the current one, and never again while somebody edits.
 */
export function editedItemQuery({ table }: ContentKind, id: string) {
  return queryOptions({
    queryKey: ['editing', table, id],
    queryFn: async ({ signal }): Promise<ContentRow | null> => {
      const api = await sessionApi();
      const { data } = await api.from(table).select().eq('id', id).limit(1).abortSignal(signal).throwOnError();
      return data[0] ?? null;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** What a form starts with to change an item. Nothing is checked here, so that whatever is stored can be opened. */
export function formValues({ schema }: ContentKind, row: ContentRow): Record<string, unknown> {
  return Object.fromEntries(Object.entries(emptyValues(schema)).map(([field, empty]) => [field, row[field] ?? empty]));
}

/** What a form would save of an item that it opened and did not change. */
export function savedValues(kind: ContentKind, row: ContentRow): Record<string, unknown> {
  const values = formValues(kind, row);
  const result = kind.schema.safeParse(values);
  return result.success ? result.data : values;
}

/** Stay as they are when an older version is restored: restoring neither publishes nor hides, nor moves in the list. */
const NOT_RESTORED = new Set(['status', 'display_order']);

/** What of an older version comes back into the form: of the columns that it had, all but its status and place. */
export function restorableValues({ schema }: ContentKind, data: Record<string, unknown>): Record<string, unknown> {
  const fields = Object.entries(emptyValues(schema)).filter(([field]) => field in data && !NOT_RESTORED.has(field));
  return Object.fromEntries(fields.map(([field, empty]) => [field, data[field] ?? empty]));
}

/** Somebody else saved (current is their version) or deleted (current is null) the item since it was opened. */
export class EditConflictError extends Error {
  readonly current: ContentRow | null;

  constructor(current: ContentRow | null) {
    super(
      current
        ? 'Somebody else changed this item after you opened it. Nothing was overwritten.'
        : 'Somebody else deleted this item after you opened it.',
    );
    this.current = current;
  }
}

/** Creates an item. @throws PostgrestError (23505: the slug is taken) */
export function createMutation({ table }: ContentKind) {
  return mutationOptions({
    mutationKey: [table, 'create'],
    mutationFn: async (values: Insert<ContentTable>): Promise<void> => {
      await (await sessionApi()).from(table).insert<Insert<ContentTable>>(values).throwOnError();
    },
    onSuccess: (_nothing, _values, _result, { client }) => client.invalidateQueries({ queryKey: [table] }),
  });
}

export interface ItemChange {
  id: string;
  values: Update<ContentTable>;
  /** `updated_at` of the item as it was opened: when it has moved on, nothing is written. */
  openedAt?: string;
}

/** Changes an item, wholly or in part. @throws EditConflictError, PostgrestError (23505: the slug is taken) */
export function updateMutation({ table }: ContentKind) {
  return mutationOptions({
    mutationKey: [table, 'update'],
    mutationFn: async ({ id, values, openedAt }: ItemChange): Promise<void> => {
      const api = await sessionApi();
      let request = api.from(table).update<Update<ContentTable>>(values).eq('id', id);
      if (openedAt) request = request.eq('updated_at', openedAt);
      const { data } = await request.select().throwOnError();
      if (data.length > 0) return;
      const { data: current } = await api.from(table).select().eq('id', id).maybeSingle().throwOnError();
      throw new EditConflictError(current);
    },
    onSuccess: (_nothing, _change, _result, { client }) => client.invalidateQueries({ queryKey: [table] }),
  });
}

/** An item lacks what its form asks of published ones. */
export class NotPublishableError extends Error {}

/** Publishes an item by the rules of its form. @throws NotPublishableError that says what is missing */
export function publishMutation(kind: ContentKind) {
  const { table, schema } = kind;
  return mutationOptions({
    mutationKey: [table, 'publish'],
    mutationFn: async (id: string): Promise<void> => {
      const api = await sessionApi();
      const { data: row } = await api.from(table).select().eq('id', id).single().throwOnError();
      const checked = schema.safeParse({ ...formValues(kind, row), status: 'published' });
      if (!checked.success)
        throw new NotPublishableError(`${checked.error.issues.map(({ message }) => message).join('. ')}.`);
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
