import { hashKey } from '@tanstack/react-query';
import type { FieldValues } from 'react-hook-form';
import type { z } from 'zod';

/** Schema issues caused by the shape of a value. All other issues concern user input, which the form can show. */
const SHAPE_ISSUES: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value', 'invalid_union', 'invalid_key']);

/**
 * Restores stored values that fit the schema. Other fields use the values of `defaults`, because a new build may have
 * changed or renamed fields.
 */
export function restoreValues(schema: z.ZodObject, stored: FieldValues, defaults: FieldValues): FieldValues {
  const fields = Object.entries<z.ZodType>(schema.shape);
  return Object.fromEntries(
    fields.map(([name, field]) => [name, hasShape(field, stored[name]) ? stored[name] : defaults[name]]),
  );
}

function hasShape(field: z.ZodType, value: unknown): boolean {
  if (value === undefined) return false;
  const { success, error } = field.safeParse(value);
  return success || error.issues.every(({ code }) => !SHAPE_ISSUES.has(code));
}

/** True if two form states would be saved identically. */
export function isSameContent(schema: z.ZodObject, first: FieldValues, second: FieldValues): boolean {
  const [one, other] = [getContent(schema, first), getContent(schema, second)];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  // Long texts are compared without serialising them.
  const hash = (value: unknown) => hashKey([{ value }]);
  return [...names].every((name) => one[name] === other[name] || hash(one[name]) === hash(other[name]));
}

function getContent(schema: z.ZodObject, values: FieldValues): FieldValues {
  const { success, data } = schema.safeParse(values);
  return success ? data : values;
}
