/** Kind of content. Each has a folder beside this file, and kinds.ts lists them. */
import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { FieldValues } from 'react-hook-form';
import type { z } from 'zod';
import type { KindNames } from '../api/places/kind-names.ts';
import type { ContentTable, Insert, Row } from '../api/tables.ts';
import type { CoverSubject } from '../ui/cover-facts.ts';
import type { LazyComponent } from '../ui/lazy.tsx';

/** Details in the row of an item beside its title and status. */
export interface RowDetails {
  /**
   * Short facts by the headings of their columns, the same ones in the same order for every item of the kind. A moment is
   * shown as its day in the zone of the site.
   */
  facts: Readonly<Record<string, string | null | { moment: string }>>;
  thumbnail?: Thumbnail;
}

/** Picture before the title: a person, a cover that is drawn if it has no address, or a named icon. */
export type Thumbnail =
  | { shape: 'person'; src: string | null }
  | { shape: 'cover'; src: string | null; subject: CoverSubject }
  | { shape: 'icon'; name: string | null };

/** An item of any kind: these columns all of them have. */
export interface ContentRow {
  id: string;
  status: string;
  updated_at: string;
  [column: string]: unknown;
}

export function isContentRow(value: unknown): value is ContentRow {
  return typeof value === 'object' && value !== null && 'id' in value && 'status' in value && 'updated_at' in value;
}

interface Words extends KindNames {
  /** Heading in the sidebar and above the list. */
  heading: string;
  icon: LucideIcon;
  /** Another screen that people may look for here, in one sentence that links to it. */
  seeAlso?: { to: string; text: string };
  loadingText: string;
  /** Whole sentences, so that a search for one of them ends here. */
  toasts: Record<'created' | 'updated' | 'deleted' | 'createFailed' | 'updateFailed' | 'deleteFailed', string>;
}

/** A kind as the shared list and form see it. Methods, because the exact types of a kind fit here only as such. */
export interface ContentKind extends Words {
  table: ContentTable;
  /** The rules of the form; its output is what `toRow` gets. */
  schema: z.ZodObject;
  /** The column that names an item: in its row, in dialogs and in the palette. */
  titleColumn: string;
  /** Columns that the list reads. */
  listColumns: readonly string[];
  /** True when the list can be kept to one category. */
  hasCategories?: boolean;
  /** Order of lists, as in private.content_kinds. People choose the order if it begins with display_order. */
  listOrder: string;
  /** False when the dashboard does not count them. */
  isCounted?: boolean;
  row(item: ContentRow): RowDetails;
  /** The address of a published item that has a page of its own. */
  publicPath?(item: ContentRow): string;
  /**
   * Returns from when on visitors read a published item; a date in the future schedules it. At once, unless told
   * otherwise.
   */
  publicFrom?(item: ContentRow): string;
  /** Returns when the page at that address changed; `updated_at` unless told otherwise. */
  changedAt?(item: ContentRow): string;
  toRow(values: FieldValues): Insert<ContentTable>;
  Fields: LazyComponent<object>;
  /** Stands below the form of an item that is there, and acts by itself. */
  Below?: ComponentType<{ id: string }>;
}

type ExactKind<Table extends ContentTable, Schema extends z.ZodObject, Column extends keyof Row<Table> & string> = Omit<
  ContentKind,
  'row' | 'publicPath' | 'publicFrom' | 'changedAt' | 'toRow'
> & {
  table: Table;
  schema: Schema;
  titleColumn: Column;
  listColumns: readonly Column[];
  row(item: Pick<Row<Table>, Column>): RowDetails;
  publicPath?(item: Pick<Row<Table>, Column>): string;
  publicFrom?(item: Pick<Row<Table>, Column>): string;
  changedAt?(item: Pick<Row<Table>, Column>): string;
  toRow(values: z.output<Schema>): Insert<Table>;
};

/** Checks a kind against its table and its schema, and keeps both types. */
export function defineKind<
  Table extends ContentTable,
  Schema extends z.ZodObject,
  Column extends keyof Row<Table> & string,
>(kind: ExactKind<Table, Schema, Column>): ExactKind<Table, Schema, Column> {
  return kind;
}

/** Tells whether people choose the order, and not time. */
export function isOrderedByPeople({ listOrder }: ContentKind): boolean {
  return listOrder.startsWith('display_order');
}
