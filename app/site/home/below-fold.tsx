import { clsx } from 'clsx';
import type { ReactNode } from 'react';

interface BelowFoldProps {
  /** With --guess, the height it takes until it comes near. */
  className?: string;
  children: ReactNode;
}

/** A part of the page below the first screen, which is not laid out before it comes near. */
export function BelowFold({ className, children }: BelowFoldProps) {
  return <div className={clsx('below-fold', className)}>{children}</div>;
}
