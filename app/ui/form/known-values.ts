import { hashKey } from '@tanstack/react-query';
import type { FieldValues } from 'react-hook-form';
import type { z } from 'zod';

/** Faults of shape. All others (too long, missing, no address) are about what is typed, which a form shows and corrects. */
const SHAPE_FAULTS: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value', 'invalid_union', 'invalid_key']);

/**
 * Returns the kept values that the form has fields for, and can hold, by its schema. The others are as in `start`:
 * since the values were kept, a new build may have renamed a field or given it another shape.
 */
export function validOrStartValues(schema: z.ZodObject, kept: FieldValues, start: FieldValues): FieldValues {
  const fields = Object.entries<z.ZodType>(schema.shape);
  return Object.fromEntries(
    fields.map(([name, field]) => [name, hasShape(field, kept[name]) ? kept[name] : start[name]]),
  );
}

function hasShape(field: z.ZodType, value: unknown): boolean {
  if (value === undefined) return false;
  const { success, error } = field.safeParse(value);
  return success || error.issues.every(({ code }) => !SHAPE_FAULTS.has(code));
}

/** Tells whether two states of a form would be saved as the same. */
export function areSavedAlike(schema: z.ZodObject, one: FieldValues, other: FieldValues): boolean {
  return asSaved(schema, one) === asSaved(schema, other);
}

function asSaved(schema: z.ZodObject, values: FieldValues): string {
  const { success, data } = schema.safeParse(values);
  // Texts of the same values, whatever the order of their keys.
  return hashKey([success ? data : values]);
}
