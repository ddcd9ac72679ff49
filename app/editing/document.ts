/** Documents: whatever a person edits in a form and saves over the version that they opened. */
import { type QueryKey, queryOptions } from '@tanstack/react-query';
import type { FieldValues } from 'react-hook-form';
import type { z } from 'zod';
import type { Merge, MergePath } from '../ui/lib/three-way-merge.ts';

/** A row of a content table, of page_content or of site_settings. */
export type StoredRow = Record<string, unknown>;

/** Values of a form with the version they have: their `updated_at`, or NOT_SAVED. */
export interface Versioned<Content = FieldValues> {
  content: Content;
  version: string;
  /** Name of who saved it, where that is known. */
  by?: string | undefined;
  /** The whole row, where it was read. */
  row?: StoredRow;
}

/** The version of a text while nothing is saved and its default holds. */
export const NOT_SAVED = 'none';

/** Tells whether a value that was kept in this browser is versioned. */
export function isVersioned(value: unknown): value is Versioned {
  return (
    typeof value === 'object' &&
    value !== null &&
    'content' in value &&
    typeof value.content === 'object' &&
    'version' in value &&
    typeof value.version === 'string'
  );
}

/** A kind of document implements it for its table. Methods, because the exact values of a form fit here only as such. */
export interface Document {
  /** The table. */
  kind: string;
  /** The item's id, 'home/hero' for a section, the key of a setting; undefined while there is none. */
  id?: string;
  /** 'post', 'section', 'setting'. */
  one: string;
  /** Names the form for good: 'posts/new'. */
  place: string;
  /** The rules of the form; its output is what is saved. */
  schema: z.ZodObject;
  /** Whole sentences, so that a search for one of them ends here. */
  toasts: Record<'created' | 'updated' | 'createFailed' | 'updateFailed', string | readonly [string, string]>;
  /** The queries that a save makes stale. */
  shownBy: readonly QueryKey[];
  /** Returns the form's first values for a stored row. */
  fromRow(row: StoredRow): FieldValues;
  /** Returns the values of an earlier version that come back into the form; all unless told otherwise. */
  restored?(row: StoredRow): FieldValues;
  /** Returns the columns that a form writes. */
  toRow(values: FieldValues): StoredRow;
  /** Reads what holds now; null when it does not exist. */
  load(signal?: AbortSignal): Promise<Versioned | null>;
  /** Reads its whole row for a release, where `load` does not; null while nothing is saved. */
  loadRow?(): Promise<StoredRow | null>;
  /**
   * Saves over the version that was opened; without one, as a new document.
   * @returns the new version, where the form stays open
   * @throws StaleError when another version is saved, PostgrestError
   */
  save(values: FieldValues, opened: Versioned | undefined): Promise<string | undefined>;
  /** Merges content that is more than fields: see mergeThreeWay. */
  merge?(
    base: FieldValues,
    mine: FieldValues,
    theirs: FieldValues,
    takesTheirs?: (path: MergePath) => boolean,
  ): Merge<FieldValues>;
}

/** Somebody else saved (current is their version) or deleted (current is null) the document since it was opened. */
export class StaleError extends Error {
  readonly current: Versioned | null;

  constructor(current: Versioned | null) {
    super(
      current
        ? 'Somebody else changed this after you opened it. Nothing was overwritten.'
        : 'Somebody else deleted this item after you opened it.',
    );
    this.current = current;
  }
}

/**
 * Reads a document for its form: always anew when the form opens, so that its version is the current one, and never
 * again while it is open.
 */
export function documentQuery(document: Document) {
  return queryOptions({
    queryKey: ['editing', document.kind, document.id],
    queryFn: ({ signal }) => document.load(signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** Header with which the database refuses to write over another version than this one (see refuse_stale_text). */
export const VERSION_HEADER = 'x-opened-version';

/** Does the write; when it is refused because of its version, reads what holds now. @throws StaleError */
export async function writeOver<Result>(
  write: PromiseLike<{ data: Result; error: { code: string } | null }>,
  load: () => Promise<Versioned | null>,
): Promise<Result> {
  const { data, error } = await write;
  if (error?.code === 'PT412') throw new StaleError(await load());
  if (error) throw error;
  return data;
}

/**
 * Takes the new version from a write that was to match the opened one; where it matched no row, reads what holds now.
 * @throws StaleError
 */
export async function requireWritten(
  rows: readonly { updated_at: string }[],
  load: () => Promise<Versioned | null>,
): Promise<string> {
  const [row] = rows;
  if (!row) throw new StaleError(await load());
  return row.updated_at;
}
