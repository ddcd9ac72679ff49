import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: ReactNode;
}

/** A checkbox with its label at the right; the whole line can be clicked. */
export function Checkbox({ label, className, ...rest }: CheckboxProps) {
  return (
    <label className={clsx('inline-flex cursor-pointer items-start gap-3 has-disabled:cursor-not-allowed', className)}>
      <span className="relative mt-0.5 inline-flex size-5.5 shrink-0">
        <input
          {...rest}
          type="checkbox"
          className="peer size-full cursor-[inherit] appearance-none rounded-sm border border-line-strong bg-surface transition-colors duration-150 checked:border-accent checked:bg-accent hover:border-ink disabled:opacity-55"
        />
        <Check
          aria-hidden="true"
          strokeWidth={3}
          className="pointer-events-none absolute inset-0 m-auto size-4 text-on-accent opacity-0 peer-checked:opacity-100"
        />
      </span>
      <span className="text-[0.9375rem]">{label}</span>
    </label>
  );
}
