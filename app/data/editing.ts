/**
 * What the admin area does with the five kinds of content: list, read, save, delete. Each kind (posts-editing.ts and
 * its siblings) says which table, columns and rules; the way to the API is written once, here.
 */

import type { SupabaseClient } from '@supabase/supabase-js';
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { sessionApi } from './api.ts';
import type { Database } from './database.types.ts';

export const PAGE_SIZE = 24;

export type ContentTable = 'posts' | 'projects' | 'services' | 'reviews' | 'team_members';
type ContentStatus = 'draft' | 'published';
type Row<Table extends ContentTable> = Database['public']['Tables'][Table]['Row'];
type Insert<Table extends ContentTable> = Database['public']['Tables'][Table]['Insert'];

export interface ContentKind<
  Table extends ContentTable,
  Schema extends z.ZodType,
  Column extends keyof Row<Table> & string = keyof Row<Table> & string,
> {
  table: Table;
  /** The rules of the form; its output is what `toRow` gets. */
  schema: Schema;
  /** What a new form starts with. */
  empty: z.input<Schema>;
  /** Columns that the list shows. */
  listColumns: readonly Column[];
  /** Columns that the search looks into. */
  searchColumns: readonly (keyof Row<Table> & string)[];
  order: readonly { column: keyof Row<Table> & string; ascending: boolean }[];
  toRow(values: z.output<Schema>): Insert<Table>;
}

/** Checks a kind against its table and keeps its precise types. */
export function defineKind<
  Table extends ContentTable,
  Schema extends z.ZodType,
  Column extends keyof Row<Table> & string,
>(kind: ContentKind<Table, Schema, Column>): ContentKind<Table, Schema, Column> {
  return kind;
}

export interface ListFilter {
  /** From 1. */
  page: number;
  search?: string;
  status?: ContentStatus;
}

/** One page of 24 items with the number of all that match. */
export function listQuery<
  Table extends ContentTable,
  Schema extends z.ZodType,
  Column extends keyof Row<Table> & string,
>(kind: ContentKind<Table, Schema, Column>, { page, search = '', status }: ListFilter) {
  return queryOptions({
    queryKey: [kind.table, 'list', { page, search, status: status ?? 'any' }],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<{ items: Pick<Row<Table>, Column>[]; count: number }> => {
      const table = await open(kind.table);
      let request = table.select(kind.listColumns.join(','), { count: 'exact' });
      if (status) request = request.eq('status', status);
      if (search.trim()) request = request.or(containsFilter(kind.searchColumns, search.trim()));
      for (const { column, ascending } of kind.order) request = request.order(column, { ascending });
      const first = (page - 1) * PAGE_SIZE;
      const { data, count, error } = await request
        .order('id')
        .range(first, first + PAGE_SIZE - 1)
        .abortSignal(signal);
      // The page lies past the end, because items were deleted meanwhile: an empty page, not a fault.
      if (error?.code === 'PGRST103') return { items: [], count: 0 };
      if (error) throw error;
      return { items: data as unknown as Pick<Row<Table>, Column>[], count: count ?? 0 };
    },
  });
}

/** One whole item, or null when it does not exist. */
export function itemQuery<Table extends ContentTable, Schema extends z.ZodType>(
  kind: ContentKind<Table, Schema>,
  id: string,
) {
  return queryOptions({
    queryKey: [kind.table, 'item', id],
    queryFn: async ({ signal }): Promise<Row<Table> | null> => {
      const table = await open(kind.table);
      const { data } = await table.select().eq('id', id).limit(1).abortSignal(signal).throwOnError();
      return (data[0] as unknown as Row<Table> | undefined) ?? null;
    },
  });
}

/** What a form starts with to change an item. Nothing is checked here, so that whatever is stored can be opened. */
export function formValues<Values extends object>(empty: Values, row: { [Field in keyof Values]?: unknown }): Values {
  const fields = Object.keys(empty) as (keyof Values)[];
  return Object.fromEntries(fields.map((field) => [field, row[field] ?? empty[field]])) as Values;
}

/** Somebody else saved (current is his version) or deleted (current is null) the item since it was opened. */
export class EditConflictError extends Error {
  readonly current: Record<string, unknown> | null;

  constructor(current: Record<string, unknown> | null) {
    super(
      current
        ? 'Somebody else changed this item after you opened it. Nothing was overwritten.'
        : 'Somebody else deleted this item after you opened it.',
    );
    this.current = current;
  }
}

export interface ItemChange<Table extends ContentTable> {
  id: string;
  values: Partial<Insert<Table>>;
  /** `updated_at` of the item as it was opened: when it has moved on, nothing is written. */
  openedAt?: string;
}

/** Creates an item. @throws PostgrestError (23505: the slug is taken) */
export function createMutation<Table extends ContentTable, Schema extends z.ZodType>(kind: ContentKind<Table, Schema>) {
  return mutationOptions({
    mutationKey: [kind.table, 'create'],
    mutationFn: async (values: Insert<Table>): Promise<Row<Table>> => {
      const table = await open(kind.table);
      const { data } = await table
        .insert(values as Record<string, unknown>)
        .select()
        .single()
        .throwOnError();
      return data as unknown as Row<Table>;
    },
    onSuccess: (_row, _values, _result, { client }) => client.invalidateQueries({ queryKey: [kind.table] }),
  });
}

/** Changes an item, wholly or in part. @throws EditConflictError, PostgrestError (23505: the slug is taken) */
export function updateMutation<Table extends ContentTable, Schema extends z.ZodType>(kind: ContentKind<Table, Schema>) {
  return mutationOptions({
    mutationKey: [kind.table, 'update'],
    mutationFn: async ({ id, values, openedAt }: ItemChange<Table>): Promise<Row<Table>> => {
      const table = await open(kind.table);
      let request = table.update(values as Record<string, unknown>).eq('id', id);
      if (openedAt) request = request.eq('updated_at', openedAt);
      const { data } = await request.select().throwOnError();
      const [row] = data;
      if (row) return row as unknown as Row<Table>;
      const { data: current } = await table.select().eq('id', id).maybeSingle().throwOnError();
      throw new EditConflictError(current);
    },
    onSuccess: (_row, _change, _result, { client }) => client.invalidateQueries({ queryKey: [kind.table] }),
  });
}

/** Deletes an item; deleting what is gone already succeeds. */
export function deleteMutation<Table extends ContentTable, Schema extends z.ZodType>(kind: ContentKind<Table, Schema>) {
  return mutationOptions({
    mutationKey: [kind.table, 'delete'],
    mutationFn: async (id: string): Promise<void> => {
      const table = await open(kind.table);
      await table.delete().eq('id', id).throwOnError();
    },
    onSuccess: (_nothing, _id, _result, { client }) => client.invalidateQueries({ queryKey: [kind.table] }),
  });
}

/** Puts items, for example those of one page, into the given order on the places that they have among themselves. */
export function reorderMutation<Table extends ContentTable, Schema extends z.ZodType>(
  kind: ContentKind<Table, Schema>,
) {
  return mutationOptions({
    mutationKey: [kind.table, 'reorder'],
    mutationFn: async (ids: string[]): Promise<void> => {
      const api = await sessionApi();
      await api.rpc('reorder_items', { _table: kind.table, _ids: ids }).throwOnError();
    },
    onSuccess: (_nothing, _ids, _result, { client }) => client.invalidateQueries({ queryKey: [kind.table] }),
  });
}

/** A filter for `or()`: any of the columns contains the text, whatever characters it has. */
export function containsFilter(columns: readonly string[], text: string): string {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const quoted = `"${pattern.replace(/[\\"]/g, '\\$&')}"`;
  return columns.map((column) => `${column}.ilike.${quoted}`).join(',');
}

/** What the five tables share, as one table. The precise row types come back at the edge of this file. */
interface SharedDatabase {
  public: {
    Tables: {
      content: {
        Row: { id: string; status: string; updated_at: string };
        Insert: Record<string, unknown>;
        Update: Record<string, unknown>;
        Relationships: [];
      };
    };
    Views: Record<never, never>;
    Functions: Record<never, never>;
  };
}

async function open(table: ContentTable) {
  const api = (await sessionApi()) as unknown as SupabaseClient<SharedDatabase>;
  return api.from(table as 'content');
}
