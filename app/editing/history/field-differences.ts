import { fieldLabel } from '../../ui/form/field-label.ts';
import { formatTime } from '../../ui/lib/format-time.ts';
import type { VersionData } from './content-versions.ts';

export interface FieldDifference {
  label: string;
  before: string;
  after: string;
}

/** Columns that nobody writes, and the place in the list, which is no part of an item's history. */
const NO_FIELDS = new Set(['id', 'created_at', 'updated_at', 'display_order']);

/**
 * Returns the fields in which two versions of an item differ, as texts to read. Null: there was nothing.
 * @param order of the columns, as the form has them; the others follow
 */
export function fieldDifferences(
  kind: string,
  before: VersionData | null,
  after: VersionData | null,
  order: readonly string[] = [],
): FieldDifference[] {
  const [left, right] = [fieldsOf(kind, before, order), fieldsOf(kind, after, order)];
  return [...new Set([...right.keys(), ...left.keys()])]
    .map((label) => ({ label, before: left.get(label) ?? '', after: right.get(label) ?? '' }))
    .filter((field) => field.before !== field.after);
}

/** Returns the texts of a version by the labels of its fields. */
function fieldsOf(kind: string, data: VersionData | null, order: readonly string[]): Map<string, string> {
  const fields = new Map<string, string>();
  if (data === null) return fields;
  if (kind === 'page_content') addFields(fields, '', parsed(data['content']));
  else if (kind === 'site_settings') addFields(fields, 'Value', parsed(data['setting_value']));
  else {
    for (const column of new Set([...order, ...Object.keys(data)])) {
      if (column in data && !NO_FIELDS.has(column)) addFields(fields, fieldLabel(column), data[column]);
    }
  }
  return fields;
}

/** Adds a value's fields: a list of texts is one; any other value with parts is as many as it has parts. */
function addFields(fields: Map<string, string>, label: string, value: unknown): void {
  if (Array.isArray(value) && !value.some((entry) => typeof entry === 'object')) {
    fields.set(label, value.join('\n'));
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) {
      const name = Array.isArray(value) ? String(Number(key) + 1) : fieldLabel(key);
      addFields(fields, label === '' ? name : `${label} › ${name}`, part);
    }
  } else {
    fields.set(label === '' ? 'Content' : label, asText(value));
  }
}

function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = String(value);
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? formatTime(text) : text;
}

/** Parses an object or a list that stands in a text; anything else stays as it is. */
function parsed(text: unknown): unknown {
  try {
    const value: unknown = typeof text === 'string' ? JSON.parse(text) : undefined;
    return typeof value === 'object' && value !== null ? value : text;
  } catch {
    return text;
  }
}
