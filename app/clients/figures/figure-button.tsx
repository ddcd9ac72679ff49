import { formatCount } from './progress.ts';

interface FigureButtonProps {
  /** Name for screen readers, such as 'Sent, Hotels'. */
  figureName: string;
  action?: string;
  value: number;
  /** Replaces the style of a number in a table. */
  className?: string;
  onOpen: () => void;
}

const TABLE_CLASS =
  '-mx-2 min-h-11 w-[calc(100%+1rem)] rounded-sm px-2 [text-align:inherit] tabular-nums underline decoration-line-strong decoration-dotted underline-offset-4 hover:bg-sunken hover:text-accent sm:min-h-8';

/** Renders a number as a button that shows the rows behind it. */
export function FigureButton(props: FigureButtonProps) {
  const { figureName, action = 'Show the rows', value, className = TABLE_CLASS, onOpen } = props;
  return (
    <button
      type="button"
      aria-label={`${figureName}: ${formatCount(value)}. ${action}`}
      className={className}
      onClick={onOpen}
    >
      {formatCount(value)}
    </button>
  );
}
