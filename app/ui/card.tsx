import { clsx } from 'clsx';
import type { ComponentProps } from 'react';

/** A sheet of paper on the canvas. Give it its padding. */
export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={clsx('rounded-lg border border-line bg-surface', className)} />;
}
