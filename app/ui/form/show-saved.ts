import { hashKey } from '@tanstack/react-query';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { mergeThreeWay } from '../lib/three-way-merge.ts';

/**
 * Marks a form as saved. Keeps input typed after submission, and merges concurrent changes.
 * @param submitted values when the form was submitted
 */
export function showSaved(
  form: UseFormReturn<FieldValues, unknown, FieldValues>,
  saved: FieldValues,
  submitted: FieldValues,
  isMerged: boolean,
): void {
  if (!isMerged) {
    form.reset(saved, { keepValues: true });
    return;
  }
  const merged = mergeThreeWay(submitted, form.getValues(), saved).value;
  form.reset(saved);
  for (const field of Object.keys(merged)) {
    if (hashKey([merged[field]]) === hashKey([saved[field]])) continue;
    form.setValue(field, merged[field], { shouldDirty: true });
  }
}
