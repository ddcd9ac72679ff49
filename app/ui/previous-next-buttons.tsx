import { ArrowLeft, ArrowRight } from 'lucide-react';
import { buttonClass } from './button.tsx';

interface PreviousNextButtonsProps {
  /** Singular noun for an item, such as 'person'. */
  itemName: string;
  onStep: (steps: -1 | 1) => void;
}

/** Buttons for the previous and next item. */
export function PreviousNextButtons({ itemName, onStep }: PreviousNextButtonsProps) {
  const className = buttonClass({ variant: 'secondary', size: 'icon' });
  return (
    <>
      <button type="button" aria-label={`Previous ${itemName}`} onClick={() => onStep(-1)} className={className}>
        <ArrowLeft />
      </button>
      <button type="button" aria-label={`Next ${itemName}`} onClick={() => onStep(1)} className={className}>
        <ArrowRight />
      </button>
    </>
  );
}
