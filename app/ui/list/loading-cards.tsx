import { clsx } from 'clsx';
import { Skeleton } from '../skeleton.tsx';

export function LoadingCards({ text, height }: { text: string; height: string }) {
  return (
    <div className="grid grid-cols-1 gap-3">
      <p role="status" className="text-muted">
        {text}
      </p>
      {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
        <Skeleton key={key} className={clsx('rounded-lg', height)} />
      ))}
    </div>
  );
}
