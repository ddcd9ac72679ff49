import { hashKey } from '@tanstack/react-query';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { mergeThreeWay } from '../lib/three-way-merge.ts';

/**
 * Marks a form as saved. Text that was typed since it was sent stays; changes of others while it was saved appear.
 *
 * @param sent what the form had when it was saved
 */
export function showSaved(
  form: UseFormReturn<FieldValues, unknown, FieldValues>,
  saved: FieldValues,
  sent: FieldValues,
  isMerged: boolean,
): void {
  if (!isMerged) {
    form.reset(saved, { keepValues: true });
    return;
  }
  const typed = mergeThreeWay(sent, form.getValues(), saved).value;
  form.reset(saved);
  for (const field of Object.keys(typed)) {
    if (hashKey([typed[field]]) === hashKey([saved[field]])) continue;
    form.setValue(field, typed[field], { shouldDirty: true });
  }
}
