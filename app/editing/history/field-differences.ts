import { fieldLabel } from '../../ui/form/field-label.ts';
import { formatTime } from '../../ui/lib/format-time.ts';
import type { VersionData } from './content-versions.ts';

export interface FieldDifference {
  label: string;
  before: string;
  after: string;
}

/** Columns that are set automatically, and the position in the list, which is not part of an item's history. */
const EXCLUDED_COLUMNS = new Set(['id', 'created_at', 'updated_at', 'display_order']);

/**
 * Lists the fields in which two versions differ, as text. Null means that the item did not exist.
 * @param order column order of the form. Other columns follow
 */
export function fieldDifferences(
  kind: string,
  before: VersionData | null,
  after: VersionData | null,
  order: readonly string[] = [],
): FieldDifference[] {
  const [beforeFields, afterFields] = [readFields(kind, before, order), readFields(kind, after, order)];
  return [...new Set([...afterFields.keys(), ...beforeFields.keys()])]
    .map((label) => ({ label, before: beforeFields.get(label) ?? '', after: afterFields.get(label) ?? '' }))
    .filter((field) => field.before !== field.after);
}

/** Returns the texts of a version by field label. */
function readFields(kind: string, data: VersionData | null, order: readonly string[]): Map<string, string> {
  const fields = new Map<string, string>();
  if (data === null) return fields;
  if (kind === 'page_content') addFields(fields, '', parseJson(data['content']));
  else if (kind === 'site_settings') addFields(fields, 'Value', parseJson(data['setting_value']));
  else {
    for (const column of new Set([...order, ...Object.keys(data)])) {
      if (column in data && !EXCLUDED_COLUMNS.has(column)) addFields(fields, fieldLabel(column), data[column]);
    }
  }
  return fields;
}

/** Adds the fields of a value. A list of texts is one field. Other objects and lists are split. */
function addFields(fields: Map<string, string>, label: string, value: unknown): void {
  if (Array.isArray(value) && !value.some((entry) => typeof entry === 'object')) {
    fields.set(label, value.join('\n'));
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) {
      const name = Array.isArray(value) ? String(Number(key) + 1) : fieldLabel(key);
      addFields(fields, label === '' ? name : `${label} › ${name}`, part);
    }
  } else {
    fields.set(label === '' ? 'Content' : label, formatValue(value));
  }
}

function formatValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = String(value);
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? formatTime(text) : text;
}

/** Parses JSON objects and lists in a text. Returns other values unchanged. */
function parseJson(text: unknown): unknown {
  try {
    const value: unknown = typeof text === 'string' ? JSON.parse(text) : undefined;
    return typeof value === 'object' && value !== null ? value : text;
  } catch {
    return text;
  }
}
