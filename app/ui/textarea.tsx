import { clsx } from 'clsx';
import type { ComponentProps } from 'react';
import { CONTROL_CLASS } from './control-class.ts';
import { useFieldProps } from './field.tsx';

/** Multi-line text control that grows with its content. */
export function Textarea({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      rows={rows}
      {...useFieldProps()}
      {...rest}
      className={clsx(CONTROL_CLASS, 'field-sizing-content max-h-[70vh] min-h-24 py-2.5', className)}
    />
  );
}
