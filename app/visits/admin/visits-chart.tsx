import { clsx } from 'clsx';
import { type PointerEvent, useState } from 'react';
import type { Publication, VisitDay } from '../visits.ts';
import { formatDayAndMonth, titlesOnDay } from './visit-days.ts';

interface VisitsChartProps {
  /** Oldest first. */
  days: readonly VisitDay[];
  publications: readonly Publication[];
}

/** Bar chart of views per day, with a mark for each day with a publication. Hovering shows the details of a day. */
export function VisitsChart({ days, publications }: VisitsChartProps) {
  const [hoveredIndex, setHoveredIndex] = useState<number | null>(null);
  const maxViews = Math.max(...days.map(({ views }) => views));
  const top = axisMaximum(maxViews);
  const selectedDay = days[hoveredIndex ?? days.length - 1];
  const width = 100 / days.length;
  const selectDay = (event: PointerEvent<SVGSVGElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const index = Math.floor(((event.clientX - left) / width) * days.length);
    setHoveredIndex(Math.min(days.length - 1, Math.max(0, index)));
  };
  return (
    <figure className="grid grid-cols-1 gap-2">
      {selectedDay && (
        <Readout
          day={selectedDay}
          titles={titlesOnDay(publications, selectedDay.day)}
          isToday={selectedDay === days.at(-1)}
        />
      )}
      <div className="relative">
        <svg
          role="img"
          aria-label={describeChart(days, publications)}
          className="block h-36 w-full touch-pan-y overflow-visible"
          onPointerMove={selectDay}
          onPointerDown={selectDay}
          onPointerLeave={() => setHoveredIndex(null)}
        >
          <rect width="100%" height="100%" fill="transparent" />
          <g stroke="var(--line)">
            <line x2="100%" y1="0" y2="0" strokeDasharray="2 5" />
            <line x2="100%" y1="45%" y2="45%" strokeDasharray="2 5" />
          </g>
          <line x2="100%" y1="90%" y2="90%" stroke="var(--line-strong)" />
          {days.map(({ day, views }, index) => {
            const height = (views / top) * 90;
            const x = index * width;
            return (
              <g key={day}>
                <rect
                  x={`${x + width * 0.12}%`}
                  y={`${90 - height}%`}
                  width={`${width * 0.76}%`}
                  height={`${height}%`}
                  rx="2"
                  className={clsx(
                    hoveredIndex === null || hoveredIndex === index ? 'fill-accent' : 'fill-accent/45',
                    'transition-[fill] duration-150',
                  )}
                />
                {titlesOnDay(publications, day).length > 0 && (
                  <circle cx={`${x + width / 2}%`} cy="96%" r="3.5" className="fill-signal" />
                )}
              </g>
            );
          })}
        </svg>
        <span
          aria-hidden="true"
          className="pointer-events-none absolute top-1 left-0 rounded-sm bg-surface/85 pr-1.5 font-mono text-label text-muted"
        >
          {top.toLocaleString('en-GB')}
        </span>
      </div>
      <figcaption aria-hidden="true" className="flex justify-between font-mono text-label text-muted">
        <span>{days[0] && formatDayAndMonth(days[0].day)}</span>
        {publications.length > 0 && (
          <span className="flex items-center gap-2">
            <span className="size-2 rounded-full bg-signal" />
            Published
          </span>
        )}
        <span>Today</span>
      </figcaption>
    </figure>
  );
}

interface ReadoutProps {
  day: VisitDay;
  titles: readonly string[];
  isToday: boolean;
}

/** Text for the hovered day (default: today). Screen readers use the table instead. */
function Readout({ day: { day, views, chats }, titles, isToday }: ReadoutProps) {
  return (
    <p aria-hidden="true" className="flex min-h-6 flex-wrap gap-x-3 text-sm">
      <span className="font-medium">{isToday ? 'Today' : formatDayAndMonth(day)}</span>
      <span>{formatAmount(views, 'view')}</span>
      {chats > 0 && <span className="text-muted">{formatAmount(chats, 'opened chat')}</span>}
      {titles.length > 0 && (
        <span className="min-w-0 text-signal [overflow-wrap:anywhere]">Published: {titles.join(' · ')}</span>
      )}
    </p>
  );
}

function formatAmount(count: number, singular: string): string {
  return `${count.toLocaleString('en-GB')} ${singular}${count === 1 ? '' : 's'}`;
}

function describeChart(days: readonly VisitDay[], publications: readonly Publication[]): string {
  const peak = days.reduce((max, day) => (day.views > max.views ? day : max));
  const published =
    publications.length > 0 ? ` ${formatAmount(publications.length, 'post')} published, marked below.` : '';
  return `Views per day. The maximum was ${peak.views.toLocaleString('en-GB')} on ${formatDayAndMonth(peak.day)}.${published}`;
}

/** Returns a round, even axis maximum, so that the middle line is a whole number. */
function axisMaximum(max: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(max, 1)));
  const top = ([1, 2, 3, 4, 5, 6, 8].find((factor) => factor * power >= max) ?? 10) * power;
  return top + (top % 2);
}
