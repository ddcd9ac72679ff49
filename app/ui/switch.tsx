import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';

interface SwitchProps extends Omit<ComponentProps<'input'>, 'type' | 'role'> {
  label: ReactNode;
}

/** Toggle that takes effect immediately. It is a checkbox internally, so it works in forms. */
export function Switch({ label, className, ...rest }: SwitchProps) {
  return (
    <label className={clsx('inline-flex cursor-pointer items-center gap-3 has-disabled:cursor-not-allowed', className)}>
      <span className="relative inline-flex h-6 w-10 shrink-0">
        <input
          {...rest}
          type="checkbox"
          // biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox exposes its checked state
          role="switch"
          className="peer size-full cursor-[inherit] appearance-none rounded-full border border-muted bg-surface transition-colors duration-150 checked:border-accent checked:bg-accent disabled:opacity-55 forced-colors:appearance-auto"
        />
        <span className="pointer-events-none absolute top-1 left-1 size-4 rounded-full bg-muted transition-transform duration-150 ease-out peer-checked:translate-x-4 peer-checked:bg-on-accent forced-colors:hidden" />
      </span>
      <span className="text-[0.9375rem]">{label}</span>
    </label>
  );
}
