import { clsx } from 'clsx';
import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { CONTROL_CLASS } from './control-class.ts';
import { useFieldProps } from './field.tsx';

/** Native select in the site's style, because it works best on phones and with `register` of react-hook-form. */
export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <div className={clsx('relative', className)}>
      <select {...useFieldProps()} {...rest} className={clsx(CONTROL_CLASS, 'h-11 appearance-none pr-10')}>
        {children}
      </select>
      <ChevronDown aria-hidden="true" className="pointer-events-none absolute top-3 right-3 size-5 text-muted" />
    </div>
  );
}
