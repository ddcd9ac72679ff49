import { clsx } from 'clsx';
import type { ComponentProps } from 'react';
import { CONTROL_CLASS } from './control-class.ts';
import { useFieldProps } from './field.tsx';

/** Single-line text control. Labelled by the surrounding Field. */
export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...useFieldProps()} {...rest} className={clsx(CONTROL_CLASS, 'h-11', className)} />;
}
