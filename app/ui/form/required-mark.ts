import type { ComponentProps } from 'react';
import type { Field } from '../field.tsx';

/** Returns props that mark a field as required. Drafts may omit fields that are required to publish. */
export function requiredMark(required: true | 'to publish' | undefined): Partial<ComponentProps<typeof Field>> {
  if (!required) return {};
  return required === true ? { required, aside: 'Required' } : { aside: 'Required to publish' };
}
