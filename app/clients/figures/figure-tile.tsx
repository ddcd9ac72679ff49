import { clsx } from 'clsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { FigureButton } from './figure-button.tsx';
import { formatChange, formatGoal, type Progress } from './progress.ts';
import { Sparkline } from './sparkline.tsx';

interface FigureTileProps {
  label: string;
  /** Name for screen readers, such as 'Meetings, last week'. */
  figureName: string;
  /** Null if there is no figure. */
  value: number | null;
  progress: Progress;
  /** Goal of the month. */
  goal: number | null;
  onOpen: () => void;
}

/** The button covers the label, so that it is at least 44 px high. Its `after` element covers the whole tile. */
const NUMBER_CLASS =
  '-mt-4.5 block w-full pt-4.5 text-left text-[2rem] leading-9 font-semibold tracking-tight focus-visible:outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-4 focus-visible:after:outline-accent';

/**
 * Renders a figure with its weekly change, goal and sparkline. A click anywhere on the tile opens the rows. Narrow
 * tiles use a column layout, wide tiles a row layout.
 */
export function FigureTile({ label, figureName, value, progress, goal, onOpen }: FigureTileProps) {
  return (
    <div className="@container h-full">
      <div className="relative grid h-full grid-cols-[4.75rem_minmax(0,1fr)_auto] content-start items-center gap-x-3 px-4 py-1 has-[button]:hover:bg-sunken sm:@max-[20rem]:grid-cols-1 sm:@max-[20rem]:gap-y-1.5 sm:@max-[20rem]:p-4 @min-[23rem]:grid-cols-[5.5rem_minmax(0,1fr)_auto] sm:@min-[23rem]:py-4">
        <div>
          <p className="font-mono text-label leading-4.5 text-muted">{label}</p>
          {value === null ? (
            <p className="text-[2rem] leading-9 text-muted">–</p>
          ) : (
            <FigureButton className={NUMBER_CLASS} {...{ figureName, value, onOpen }} />
          )}
        </div>
        {/* In the column layout, the goal is last, so that the charts of all tiles are aligned. */}
        <div className="grid gap-0.5 sm:@max-[20rem]:contents">
          <Change progress={progress} />
          {goal !== null && (
            <div className="grid gap-0.5 text-sm leading-5 sm:@max-[20rem]:order-last">
              <p className="text-muted">{formatGoal(progress, goal)}</p>
              <ProgressBar aria-hidden="true" className="text-accent" max={goal} value={progress.month.value} />
            </div>
          )}
        </div>
        <Sparkline
          label={label}
          weeks={progress.weeks}
          className="h-8 w-16 sm:@max-[20rem]:h-10 sm:@max-[20rem]:w-full @min-[23rem]:h-10 @min-[23rem]:w-22"
        />
      </div>
    </div>
  );
}

function Change({ progress }: { progress: Progress }) {
  const { amount, text } = formatChange(progress);
  const tone = amount.startsWith('+') ? 'text-accent' : 'text-signal';
  return (
    <p className="text-sm leading-5">
      {amount && <span className={clsx('font-semibold', tone)}>{`${amount} `}</span>}
      <span className="text-muted">{text}</span>
    </p>
  );
}
