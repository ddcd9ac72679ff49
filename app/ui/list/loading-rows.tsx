import { Skeleton } from '../skeleton.tsx';
import { ROWS_CLASS } from './rows-class.ts';

export function LoadingRows({ text }: { text: string }) {
  return (
    <div className="grid grid-cols-1 gap-3">
      <p role="status" className="text-muted">
        {text}
      </p>
      <div className={ROWS_CLASS}>
        {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
          <div key={key} className="flex h-13 items-center gap-4 px-4">
            <Skeleton className="size-9" />
            <Skeleton className="h-4 w-2/5" />
            <Skeleton className="ml-auto h-4 w-1/5" />
          </div>
        ))}
      </div>
    </div>
  );
}
