/** Reads the editable texts and pictures of a page from the query cache. */
import type { Query, QueryClient } from '@tanstack/react-query';
import { KINDS } from '../../content/kinds.ts';

/** A field of a section or an item. `kind` and `id` are those of its document. */
export interface EditableField {
  kind: string;
  id: string;
  /** Name of the form field: 'chapters.0.title'. Empty for the form itself. */
  path: string;
  value: string;
}

const TABLES = new Set<unknown>(KINDS.map(({ table }) => table));
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Returns the form field of a column. A project shows its metric in a computed column, unless a figure is quoted. */
export function formFieldForColumn(column: string): string {
  return column === 'key_metric' ? 'metric' : column;
}

/** Reads the fields of the sections on the page, and of all items that were loaded. */
export function readEditableFields(client: QueryClient): EditableField[] {
  const fields = client.getQueryCache().getAll().flatMap(readQueryFields);
  return [...new Map(fields.map((field) => [fieldKey(field), field])).values()];
}

export function fieldKey({ kind, id, path }: EditableField): string {
  return `${kind} ${id} ${path}`;
}

function readQueryFields(query: Query): EditableField[] {
  const [kind, page, part] = query.queryKey;
  const { data } = query.state;
  if (typeof kind !== 'string' || !isRecord(data)) return [];
  if (TABLES.has(kind)) {
    return findRows(data).flatMap((row) =>
      listTexts(row).map(({ path, value }) => ({ kind, id: String(row['id']), path: formFieldForColumn(path), value })),
    );
  }
  if (kind !== 'page_content' || !query.isActive()) return [];
  const sections = part === undefined ? data['sections'] : { [String(part)]: data };
  if (!isRecord(sections)) return [];
  return Object.entries(sections).flatMap(([name, content]) =>
    listTexts(content).map((text) => ({ kind, id: `${page}/${name}`, ...text })),
  );
}

/** Finds stored rows at any depth. The built-in services have no UUID and cannot be edited. */
function findRows(data: Record<string, unknown>): Record<string, unknown>[] {
  const { id } = data;
  if (typeof id === 'string' && UUID.test(id)) return [data];
  return Object.values(data).filter(isRecord).flatMap(findRows);
}

function listTexts(value: unknown, path = ''): { path: string; value: string }[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [{ path, value }];
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => listTexts(inner, path ? `${path}.${key}` : key));
}

/** Returns true for objects and arrays. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
