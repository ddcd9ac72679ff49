import { clsx } from 'clsx';

interface SkeletonProps {
  /** Width, height and radius of what it stands for. */
  className?: string;
}

/** Stands for content that loads. Put a spoken 'Loading...' beside a group of them. */
export function Skeleton({ className }: SkeletonProps) {
  return <div aria-hidden="true" className={clsx('animate-pulse rounded-md bg-line/70', className)} />;
}
