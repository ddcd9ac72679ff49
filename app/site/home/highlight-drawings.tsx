import type { Usps } from '../../content/pages/usps.ts';
import { Drawing } from '../../ui/drawing.tsx';

/** Draws a sentence as one stroke per word. Longer words have taller strokes. */
export function SpokenLine({ text }: { text: string }) {
  const words = text.split(/\s+/).filter(Boolean).slice(0, 40);
  const strokes = words.map((word, index) => {
    const halfHeight = 2 + Math.min(word.length, 16) * 1.1;
    return `M${4 + index * 8} ${20 - halfHeight}v${halfHeight * 2}`;
  });
  return (
    <svg
      viewBox={`0 0 ${Math.max(words.length, 1) * 8} 40`}
      preserveAspectRatio="xMinYMid meet"
      aria-hidden="true"
      className="h-10 max-w-full self-start"
    >
      <path d={strokes.join('')} stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" />
    </svg>
  );
}

const TICKS = Array.from({ length: 11 }, (_, tick) => `<line x1="${tick * 10}%" x2="${tick * 10}%" y1="26" y2="31"/>`);

/**
 * Bar that shows a percentage to scale. The SVG has no viewBox, so its units are pixels and the labels have the same
 * size at any card width.
 */
export function ShareBar({ percentage }: { percentage: string }) {
  const share = Math.min(Math.max(Number.parseFloat(percentage.replace(',', '.')) || 0, 0), 100);
  return (
    <Drawing
      fill="currentColor"
      className="h-13 w-full overflow-visible font-mono text-label text-muted"
      shapes={
        '<rect width="100%" height="20" rx="3" fill="var(--sunken)"/>' +
        `<rect width="${share}%" height="20" rx="3" fill="var(--accent)"/>` +
        `<g stroke="currentColor">${TICKS.join('')}</g>` +
        `<text x="${share}%" y="48" text-anchor="middle" fill="var(--ink)">${share}</text>` +
        (share > 12 ? '<text y="48">0</text>' : '') +
        (share < 86 ? '<text x="100%" y="48" text-anchor="end">100</text>' : '')
      }
    />
  );
}

/** Maximum number of grid lines. A larger number would merge into a grey area. */
const MAX_MONTHS = 60;

/** Gantt chart of the three phases. */
export function PhaseStrip({ timeline }: { timeline: Usps['card5']['timeline'] }) {
  const phases = [timeline.phase1, timeline.phase2, timeline.phase3].map((phase) => ({
    ...phase,
    length: Number.parseFloat(phase.duration) || 1,
  }));
  const total = phases.reduce((sum, { length }) => sum + length, 0);
  const share = (length: number) => `${(length / total) * 100}%`;
  const months = Array.from({ length: Math.min(Math.ceil(total), MAX_MONTHS) }, (_, month) => month);
  return (
    <div className="grid gap-5">
      <ol className="grid gap-2.5">
        {phases.map((phase, index) => {
          const start = phases.slice(0, index).reduce((sum, { length }) => sum + length, 0);
          return (
            <li key={phase.name} className="grid gap-1.5 sm:grid-cols-[7rem_1fr] sm:items-center sm:gap-5">
              <p className="flex justify-between gap-3 text-sm font-medium sm:block">
                {phase.name}
                <span className="font-mono text-label font-normal text-muted sm:block">{phase.duration}</span>
              </p>
              <svg aria-hidden="true" className="h-7 w-full rounded-sm">
                {months.map((month) => (
                  <rect key={month} x={share(month)} width="1" height="100%" fill="var(--line)" />
                ))}
                <rect
                  x={share(start)}
                  width={share(phase.length)}
                  height="100%"
                  rx="6"
                  fill={['var(--line-strong)', 'var(--accent)', 'var(--signal)'][index]}
                />
              </svg>
            </li>
          );
        })}
      </ol>
      <p className="text-sm text-muted">{timeline.description}</p>
    </div>
  );
}

const DAYLIGHT =
  '<g stroke-width="6" stroke-linecap="round">' +
  '<circle cx="60" cy="60" r="54" stroke="var(--line)"/>' +
  `<path d="${arcPath(54, 18 + 50 / 60)}" stroke="var(--signal)"/>` +
  '<circle cx="60" cy="60" r="40" stroke="var(--line)"/>' +
  `<path d="${arcPath(40, 5 + 54 / 60)}" stroke="var(--accent)"/></g>` +
  '<path d="M34 66q6.5-9 13 0t13 0 13 0 13 0" stroke="var(--ink)" stroke-width="1.75" stroke-linecap="round"/>';

/** 24-hour dial of the daylight in Oslo. The outer arc is the longest day of the year, the inner one the shortest. */
export function DaylightRing() {
  return (
    <div className="flex items-center gap-6">
      <Drawing viewBox="0 0 120 120" fill="none" className="w-28 shrink-0" shapes={DAYLIGHT} />
      <p className="font-mono text-label text-muted">
        59.91° N, 10.75° E
        <br />
        June: 18 h 50 of daylight
        <br />
        December: 5 h 54
      </p>
    </div>
  );
}

/** Draws an arc of the given number of hours, centred on noon at the top. */
function arcPath(radius: number, hours: number): string {
  const angle = (hours / 24) * Math.PI;
  const x = Math.sin(angle) * radius;
  const y = Math.cos(angle) * radius;
  const point = (value: number) => Number((60 + value).toFixed(1));
  return `M${point(-x)} ${point(-y)}A${radius} ${radius} 0 ${hours > 12 ? 1 : 0} 1 ${point(x)} ${point(-y)}`;
}
