import { clsx } from 'clsx';

interface SkeletonProps {
  /** Width, height and radius. */
  className?: string;
}

/** Placeholder of loading content. Add a 'Loading...' text for screen readers. */
export function Skeleton({ className }: SkeletonProps) {
  return <div aria-hidden="true" className={clsx('animate-pulse rounded-md bg-line/70', className)} />;
}
