import type { ComponentProps } from 'react';
import type { Field } from '../field.tsx';

/** Returns the mark of a required field before anybody saves. A draft may lack what is required to publish. */
export function requiredMark(required: true | 'to publish' | undefined): Partial<ComponentProps<typeof Field>> {
  if (!required) return {};
  return required === true ? { required, aside: 'Required' } : { aside: 'Required to publish' };
}
