/** What the admin area adds to a kind of content from app/data: its words, its card in the list and its form fields. */
import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { FieldValues } from 'react-hook-form';
import type { z } from 'zod';
import type { Database } from '../../data/database.types.ts';
import type { ContentKind, ContentTable } from '../../data/editing.ts';

type TableRow<Table extends ContentTable> = Database['public']['Tables'][Table]['Row'];

/** What the card of an item shows beside its title and status. */
export interface CardDetails {
  /** Short facts, for example a category or a company; empty ones are left out. */
  facts: (string | null)[];
  /** A picture of a person, with initials when it has no address. */
  avatar?: string | null;
  /** Where visitors find it, when it has a page of its own. */
  publicPath?: string;
}

interface Words {
  /** The part of the address after /admin/. */
  path: string;
  /** In the sidebar and above the list. */
  heading: string;
  /** In lower case, for sentences such as 'Error updating team member'. */
  one: string;
  many: string;
  loadingText: string;
  icon: LucideIcon;
}

interface TypedScreen<
  Table extends ContentTable,
  Schema extends z.ZodType<FieldValues, FieldValues>,
  Column extends keyof TableRow<Table> & string,
> extends Words {
  kind: ContentKind<Table, Schema, Column>;
  /** The column that names an item: on its card, in the delete dialog and in the palette. */
  titleColumn: Column;
  card(row: Pick<TableRow<Table>, Column>): CardDetails;
  Fields: ComponentType;
}

/** A row of any of the tables; the shared list and form know only what all of them have. */
export interface AnyRow extends Record<string, unknown> {
  id: string;
  status: string;
  updated_at: string;
  display_order?: number;
}

export interface ContentScreen extends Words {
  kind: ContentKind<ContentTable, z.ZodType<FieldValues, FieldValues>>;
  titleColumn: string;
  card(row: AnyRow): CardDetails;
  Fields: ComponentType;
  /** Whether people choose the order (by display_order) or time does. */
  ordered: boolean;
}

/** Checks a screen against its table, then forgets the precise types, so that one list and one form serve all. */
export function defineScreen<
  Table extends ContentTable,
  Schema extends z.ZodType<FieldValues, FieldValues>,
  Column extends keyof TableRow<Table> & string,
>(screen: TypedScreen<Table, Schema, Column>): ContentScreen {
  const ordered = screen.kind.order[0]?.column === 'display_order';
  return { ...screen, ordered } as unknown as ContentScreen;
}

/** 'Team member' from 'team member'. */
export function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** 'Team Member' from 'team member', for buttons and titles. */
export function titleCased(words: string): string {
  return words.split(' ').map(capitalized).join(' ');
}

export function titleOf(screen: ContentScreen, row: Record<string, unknown>): string {
  return String(row[screen.titleColumn] ?? '');
}
