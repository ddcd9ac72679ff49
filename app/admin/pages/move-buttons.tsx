import { ArrowDown, ArrowUp } from 'lucide-react';
import { Button } from '../../ui/button.tsx';

export interface MoveButtonsProps {
  title: string;
  index: number;
  count: number;
  /** Moves the row to a position. */
  onMove: (to: number) => void;
}

/** Renders buttons that move a row, for users who cannot drag. */
export function MoveButtons({ title, index, count, onMove }: MoveButtonsProps) {
  return (['up', 'down'] as const).map((direction) => (
    <Button
      key={direction}
      variant="ghost"
      size="icon"
      className="size-9!"
      data-move={direction}
      aria-label={`Move ${title} ${direction}`}
      aria-disabled={index === (direction === 'up' ? 0 : count - 1) || undefined}
      onClick={() => onMove(direction === 'up' ? index - 1 : index + 1)}
    >
      {direction === 'up' ? <ArrowUp aria-hidden="true" /> : <ArrowDown aria-hidden="true" />}
    </Button>
  ));
}
