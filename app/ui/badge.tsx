import { clsx } from 'clsx';
import type { ComponentProps } from 'react';

const TONES = {
  neutral: 'border-line bg-sunken text-muted',
  accent: 'border-transparent bg-accent-soft text-accent',
  signal: 'border-transparent bg-signal-soft text-signal',
  warning: 'border-transparent bg-warning-soft text-warning',
  danger: 'border-transparent bg-danger-soft text-danger',
};

interface BadgeProps extends ComponentProps<'span'> {
  tone?: keyof typeof TONES;
}

/** Short status or category label in the mono font. */
export function Badge({ tone = 'neutral', className, ...rest }: BadgeProps) {
  return (
    <span
      {...rest}
      className={clsx(
        'inline-flex w-fit items-center gap-1.5 rounded-full border px-2.5 py-0.5 font-mono text-label whitespace-nowrap',
        TONES[tone],
        className,
      )}
    />
  );
}
