import { ArrowLeft, ArrowRight } from 'lucide-react';
import { buttonClass } from './button.tsx';

interface StepButtonsProps {
  /** Singular of the items: 'person'. */
  what: string;
  onStep: (steps: -1 | 1) => void;
}

/** Buttons for the previous and next item. */
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
