import { Skeleton } from '../skeleton.tsx';

export function FormSkeleton() {
  return (
    <div className="grid grid-cols-1 gap-6">
      <p role="status" className="sr-only">
        Loading...
      </p>
      {['h-11', 'h-11', 'h-24', 'h-72', 'h-11'].map((height, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list
        <div key={index} className="grid gap-2">
          <Skeleton className="h-4 w-24" />
          <Skeleton className={height} />
        </div>
      ))}
    </div>
  );
}
