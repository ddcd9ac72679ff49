import { ArrowLeft, ArrowRight } from 'lucide-react';
import { buttonClass } from './button.tsx';

interface StepButtonsProps {
  /** Name of what is stepped through: 'person'. */
  what: string;
  onStep: (steps: -1 | 1) => void;
}

/** Two buttons that lead to the one before and the one after. */
export function StepButtons({ what, onStep }: StepButtonsProps) {
  const className = buttonClass({ variant: 'secondary', size: 'icon' });
  return (
    <>
      <button type="button" aria-label={`Previous ${what}`} onClick={() => onStep(-1)} className={className}>
        <ArrowLeft />
      </button>
      <button type="button" aria-label={`Next ${what}`} onClick={() => onStep(1)} className={className}>
        <ArrowRight />
      </button>
    </>
  );
}
