/** Types for a kind of content. Each kind has its own folder and is listed in kinds.ts. */
import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { FieldValues } from 'react-hook-form';
import type { z } from 'zod';
import type { KindNames } from '../api/places/kind-names.ts';
import type { ContentTable, Insert, Row } from '../api/tables.ts';
import type { CoverSubject } from '../ui/cover-input.ts';
import type { LazyComponent } from '../ui/lazy.tsx';

/** Details of an item's row, beside its title and status. */
export interface RowDetails {
  /**
   * Values by column heading. All items of a kind have the same columns. A time is formatted as a day in the site's
   * time zone.
   */
  columns: Readonly<Record<string, string | null | { time: string }>>;
  thumbnail?: Thumbnail;
}

/** Picture before the title: a portrait, a cover or a named icon. A cover without a URL is generated. */
export type Thumbnail =
  | { shape: 'person'; src: string | null }
  | { shape: 'cover'; src: string | null; subject: CoverSubject }
  | { shape: 'icon'; name: string | null };

/** Columns that all kinds have. */
export interface ContentRow {
  id: string;
  status: string;
  updated_at: string;
  [column: string]: unknown;
}

export function isContentRow(value: unknown): value is ContentRow {
  return typeof value === 'object' && value !== null && 'id' in value && 'status' in value && 'updated_at' in value;
}

interface KindTexts extends KindNames {
  /** Label in the sidebar and title of the list. */
  heading: string;
  icon: LucideIcon;
  /** Sentence with a link to a related screen. */
  seeAlso?: { to: string; text: string; link: string };
  loadingText: string;
  /** Full sentences, so that a code search finds them. */
  toasts: Record<'created' | 'updated' | 'deleted' | 'createFailed' | 'updateFailed' | 'deleteFailed', string>;
}

/**
 * A kind of content, as used by the shared list and form. The functions are declared as methods, because parameters of
 * methods are bivariant and accept the exact types of a kind.
 */
export interface ContentKind extends KindTexts {
  table: ContentTable;
  /** Form schema. Its output is the input of `toRow`. */
  schema: z.ZodObject;
  /** Column with the name of an item, shown in rows, dialogs and the command palette. */
  titleColumn: string;
  /** Columns selected by the list. */
  listColumns: readonly string[];
  /** True if the list can be filtered by category. */
  hasCategories?: boolean;
  /** Sort order. Must be the same as in private.content_kinds. Starts with display_order if the order is manual. */
  listOrder: string;
  /** False to leave the kind out of the dashboard counts. */
  isCounted?: boolean;
  row(item: ContentRow): RowDetails;
  /** Public path of a published item with its own page. */
  publicPath?(item: ContentRow): string;
  /** Returns the publication time of a published item. A future date schedules it. Default: immediately. */
  publicFrom?(item: ContentRow): string;
  /** Returns the modification time of the public page. Default: `updated_at`. */
  changedAt?(item: ContentRow): string;
  toRow(values: FieldValues): Insert<ContentTable>;
  Fields: LazyComponent<object>;
  /** Rendered below the edit form. Saves its own changes. */
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

/** Checks a kind against its table and schema, and preserves both types. */
export function defineKind<
  Table extends ContentTable,
  Schema extends z.ZodObject,
  Column extends keyof Row<Table> & string,
>(kind: ExactKind<Table, Schema, Column>): ExactKind<Table, Schema, Column> {
  return kind;
}

/** Returns whether the order is manual. */
export function hasManualOrder({ listOrder }: ContentKind): boolean {
  return listOrder.startsWith('display_order');
}
