/** Documents, which are content that is edited in a form and saved with optimistic locking. */
import { type QueryKey, queryOptions } from '@tanstack/react-query';
import type { FieldValues } from 'react-hook-form';
import type { z } from 'zod';
import type { Merge, MergePath } from '../ui/lib/three-way-merge.ts';

/** Row of a content table, page_content or site_settings. */
export type StoredRow = Record<string, unknown>;

/** Form values with their version: `updated_at` or NOT_SAVED. */
export interface Versioned<Content = FieldValues> {
  content: Content;
  version: string;
  /** Name of the author, if known. */
  by?: string | undefined;
  /** Full row, if it was read. */
  row?: StoredRow;
}

/** Version of content that was never saved and has its default. */
export const NOT_SAVED = 'none';

/** Checks a value that was stored in the browser. */
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

/**
 * Implemented for each table. The functions are declared as methods, because parameters of methods are bivariant and
 * accept the exact form values of an implementation.
 */
export interface Document {
  /** Table name. */
  kind: string;
  /** Item id, 'home/hero' for a section, or the key of a setting. Undefined for a new document. */
  id?: string;
  /** Singular noun for messages: 'post', 'section', 'setting'. */
  singular: string;
  /** Stable key of the form, such as 'posts/new'. */
  formKey: string;
  /** Schema of the form. Its output is saved. */
  schema: z.ZodObject;
  /** Full sentences, so that a code search finds them. */
  toasts: Record<'created' | 'updated' | 'createFailed' | 'updateFailed', string | readonly [string, string]>;
  /** Keys of the queries that a save invalidates. */
  invalidatedQueryKeys: readonly QueryKey[];
  /** Initial form values of a stored row. */
  fromRow(row: StoredRow): FieldValues;
  /** Form values restored from an earlier version. Defaults to all values. */
  restored?(row: StoredRow): FieldValues;
  /** Columns written by the form. */
  toRow(values: FieldValues): StoredRow;
  /** Reads the current version, or null. */
  load(signal?: AbortSignal): Promise<Versioned | null>;
  /** Reads the full row for a release if `load` does not. Null if nothing is saved. */
  loadRow?(): Promise<StoredRow | null>;
  /**
   * Saves the document if the opened version is still current, or creates it.
   * @returns the new version, if the form stays open
   * @throws StaleError if another version was saved, PostgrestError
   */
  save(values: FieldValues, openedVersion: Versioned | undefined): Promise<string | undefined>;
  /** Merges content that is not a plain set of fields. See mergeThreeWay. */
  merge?(
    base: FieldValues,
    mine: FieldValues,
    theirs: FieldValues,
    selectsTheirs?: (path: MergePath) => boolean,
  ): Merge<FieldValues>;
}

/** Thrown if someone else saved or deleted the document after it was opened. `current` is the new version, or null. */
export class StaleError extends Error {
  readonly current: Versioned | null;

  constructor(current: Versioned | null) {
    super(
      current
        ? 'Someone else changed this after you opened it. Nothing was overwritten.'
        : 'Someone else deleted this item after you opened it.',
    );
    this.current = current;
  }
}

/**
 * Reads a document for its form. Refetches when the form opens, so that the version is current. Does not refetch while
 * the form is open.
 */
export function documentQuery(document: Document) {
  return queryOptions({
    queryKey: ['editing', document.kind, document.id],
    queryFn: ({ signal }) => document.load(signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** Header for optimistic locking. See reject_stale_save. */
export const VERSION_HEADER = 'x-opened-version';

/**
 * Runs the write. If the database rejects it because of a stale version, reads the current version.
 * @throws StaleError
 */
export async function writeIfCurrent<Result>(
  write: PromiseLike<{ data: Result; error: { code: string } | null }>,
  load: () => Promise<Versioned | null>,
): Promise<Result> {
  const { data, error } = await write;
  if (error?.code === 'PT412') throw new StaleError(await load());
  if (error) throw error;
  return data;
}

/**
 * Returns the new version after a conditional write. If no row matched, reads the current version.
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
