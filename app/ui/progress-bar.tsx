import { clsx } from 'clsx';
import type { ComponentProps } from 'react';

const TONES = {
  accent: '[&::-moz-progress-bar]:bg-accent [&::-webkit-progress-value]:bg-accent',
  warning: '[&::-moz-progress-bar]:bg-warning [&::-webkit-progress-value]:bg-warning',
};

/** Thin bar. Needs an aria-label, or aria-hidden if text beside it has the same numbers. */
export function ProgressBar({ tone = 'accent', ...rest }: ComponentProps<'progress'> & { tone?: keyof typeof TONES }) {
  return (
    <progress
      {...rest}
      className={clsx(
        'block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-line [&::-webkit-progress-bar]:bg-line',
        TONES[tone],
      )}
    />
  );
}
