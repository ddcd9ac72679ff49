import { clsx } from 'clsx';
import type { ComponentProps } from 'react';

/** Thin bar in the text colour. Needs an aria-label, or aria-hidden beside a text with the same numbers. */
export function ProgressBar({ className, ...rest }: ComponentProps<'progress'>) {
  return (
    <progress
      {...rest}
      className={clsx(
        'block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-line',
        '[&::-moz-progress-bar]:bg-current [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-current',
        className,
      )}
    />
  );
}
