import type { ComponentProps } from 'react';
import type { Field } from '../../ui/field.tsx';

/** What the Field of something required says before anybody saves. A draft may lack what is required to publish. */
export function requiredMark(required: true | 'to publish' | undefined): Partial<ComponentProps<typeof Field>> {
  if (!required) return {};
  return required === true ? { required, aside: 'Required' } : { aside: 'Required to publish' };
}
