import { hashKey } from '@tanstack/react-query';
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form';
import { mergeThreeWay } from '../lib/three-way-merge.ts';

/**
 * Marks a form as saved. Text that was typed since it was sent stays; changes of others while it was saved appear.
 *
 * @param sent what the form had when it was saved
 */
export function showSaved<Values extends FieldValues>(
  form: UseFormReturn<Values, unknown, Values>,
  saved: Values,
  sent: Values,
  isMerged: boolean,
): void {
  if (!isMerged) {
    form.reset(saved, { keepValues: true });
    return;
  }
  const typed = mergeThreeWay(sent, form.getValues(), saved).value;
  form.reset(saved);
  for (const field of Object.keys(typed) as Path<Values>[]) {
    if (hashKey([typed[field]]) === hashKey([saved[field]])) continue;
    form.setValue(field, typed[field] as PathValue<Values, Path<Values>>, { shouldDirty: true });
  }
}
