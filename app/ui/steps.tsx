import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';

interface StepProps {
  /** Shown in the circle until the step is done. */
  number: number;
  isDone?: boolean | undefined;
  isCurrent?: boolean | undefined;
  children: ReactNode;
}

/** Item of an ordered list of steps. A line connects the items. */
export function Step({ number, isDone, isCurrent, children }: StepProps) {
  return (
    <li aria-current={isCurrent ? 'step' : undefined} className="group relative flex gap-4 pb-5 last:pb-0">
      <span
        aria-hidden="true"
        className="absolute top-8 bottom-0 left-[0.96875rem] w-px bg-line-strong group-last:hidden"
      />
      <span
        aria-hidden="true"
        className={clsx(
          'grid size-8 shrink-0 place-items-center rounded-full border font-mono text-sm',
          isDone
            ? 'border-accent bg-accent text-on-accent'
            : isCurrent
              ? 'border-accent text-accent'
              : 'border-line-strong text-muted',
        )}
      >
        {isDone ? <Check className="size-4" /> : number}
      </span>
      <div className="min-w-0 grow pt-0.5">{children}</div>
    </li>
  );
}
