import { clsx } from 'clsx';
import { formatDay } from '../../ui/lib/zoned-times.ts';
import { formatCount, type WeekSum } from './progress.ts';

const WIDTH = 120;
const HEIGHT = 36;
const PADDING = 4;

interface SparklineProps {
  label: string;
  weeks: readonly WeekSum[];
  /** Classes for the width and height. */
  className: string;
}

/**
 * Renders a sparkline of weekly figures and marks the latest figure. Renders nothing for fewer than two figures. Weeks
 * without a figure are gaps. Screen readers announce the numbers.
 */
export function Sparkline({ label, weeks, className }: SparklineProps) {
  if (weeks.filter(({ isKnown }) => isKnown).length < 2) return null;
  const max = Math.max(1, ...weeks.map(({ value }) => value));
  const points = weeks.map(({ value, isKnown }, index) => ({
    x: (index * (WIDTH - PADDING)) / (weeks.length - 1),
    y: HEIGHT - PADDING - (value / max) * (HEIGHT - 2 * PADDING),
    isKnown,
  }));
  const path = points
    .map(({ x, y, isKnown }, index) =>
      isKnown ? `${points[index - 1]?.isKnown ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}h0` : '',
    )
    .join('');
  const latest = points.at(-1);
  const numbers = weeks.map(({ value, isKnown }) => (isKnown ? formatCount(value) : 'no figure')).join(', ');
  const end = formatDay(weeks.at(-1)?.last ?? '', { day: 'numeric', month: 'long' });
  return (
    <svg
      role="img"
      aria-label={`${label} in the ${weeks.length} weeks up to ${end}: ${numbers}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      // Stretches the line to the given size without stretching the stroke width.
      preserveAspectRatio="none"
      className={clsx(
        'shrink-0 overflow-visible text-accent [&_path]:fill-none [&_path]:stroke-current [&_path]:[stroke-linecap:round] [&_path]:[stroke-linejoin:round] [&_path]:[vector-effect:non-scaling-stroke]',
        className,
      )}
    >
      <path d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} className="text-line" strokeWidth="1" />
      <path d={path} strokeWidth="1.75" />
      {/* A zero-length line with round caps, because a circle would be stretched. */}
      {latest?.isKnown && <path d={`M${latest.x} ${latest.y}h0`} strokeWidth="6" />}
    </svg>
  );
}
