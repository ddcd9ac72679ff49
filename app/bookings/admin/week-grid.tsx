import { clsx } from 'clsx';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { type AvailabilityForm, type Hours, WEEKDAYS } from './availability-schema.ts';
import { editWeekHours, isOfferedIn, toClockTime } from './edit-week-hours.ts';

/** Minutes per cell. */
const STEP = 30;

interface Cell {
  /** 1 is Monday. */
  day: number;
  /** Number of steps since midnight. */
  step: number;
}

interface Drag {
  from: Cell;
  to: Cell;
  /** True to add cells, false to remove them. */
  isOffered: boolean;
}

/**
 * Grid of half-hour cells. Dragging adds or removes cells, depending on the state of the first cell. Arrow keys move
 * the focus, Space toggles a cell, and Shift with an arrow key extends the selection.
 */
export function WeekGrid({ onChange }: { onChange: (hours: Hours[]) => void }) {
  const { getValues } = useFormContext<AvailabilityForm>();
  const hours = useWatch<AvailabilityForm, 'hours'>({ name: 'hours' });
  const table = useRef<HTMLTableElement>(null);
  const [drag, setDrag] = useState<Drag>();
  const [active, setActive] = useState<Cell>({ day: 1, step: 18 });
  const steps = visibleSteps(hours);
  const isOffered = ({ day, step }: Cell, week = hours) => isOfferedIn(week, day, step * STEP, (step + 1) * STEP);
  // Read the form directly, because the rendered cells update only on the next render.
  const isOfferedNow = (cell: Cell) => isOffered(cell, getValues('hours'));

  const apply = (drag: Drag) => onChange(applyDrag(getValues('hours'), drag));
  const onPointerDown = (event: PointerEvent<HTMLTableElement>) => {
    const cell = cellAt(event);
    if (!cell || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setActive(cell);
    setDrag({ from: cell, to: cell, isOffered: !isOfferedNow(cell) });
  };
  const onPointerMove = (event: PointerEvent<HTMLTableElement>) => {
    const cell = drag && cellAt(event);
    if (cell) setDrag({ ...drag, to: cell });
  };
  const onPointerUp = () => {
    if (drag) apply(drag);
    setDrag(undefined);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTableElement>) => {
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault();
      apply({ from: active, to: active, isOffered: !isOfferedNow(active) });
      return;
    }
    const [days, offset] = MOVES[event.key] ?? [0, 0];
    const next = { day: active.day + days, step: active.step + offset };
    const element = table.current?.querySelector<HTMLElement>(`[data-day="${next.day}"][data-step="${next.step}"]`);
    if (!element || (days === 0 && offset === 0)) return;
    event.preventDefault();
    if (event.shiftKey) apply({ from: active, to: next, isOffered: isOfferedNow(active) });
    setActive(next);
    element.focus();
  };

  return (
    <div className="grid grid-cols-1 gap-2 max-sm:hidden">
      <table
        ref={table}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is a table with selectable cells
        role="grid"
        aria-label="Weekly hours"
        aria-multiselectable="true"
        aria-describedby="week-grid-help"
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={() => setDrag(undefined)}
        onKeyDown={onKeyDown}
        className="w-full table-fixed touch-none border-separate border-spacing-x-0 border-spacing-y-1 select-none"
      >
        <HoursRow steps={steps} />
        <tbody>
          {WEEKDAYS.map((name, position) => (
            <DayRow
              key={name}
              {...{ name, steps, active }}
              day={position + 1}
              isSelected={(cell) => (drag && isWithin(cell, drag) ? drag.isOffered : isOffered(cell))}
            />
          ))}
        </tbody>
      </table>
      <p id="week-grid-help" className="text-sm text-muted">
        Drag to select the hours when you take calls, or drag over selected hours to clear them. With the keyboard, move
        with the arrow keys, select or clear with the space bar, and extend with Shift and an arrow key. Enter exact
        times below.
      </p>
    </div>
  );
}

/** Row with the hours above the cells. */
function HoursRow({ steps }: { steps: readonly number[] }) {
  return (
    <thead>
      <tr>
        <td className="w-12" />
        {steps.map(
          (step) =>
            step % 2 === 0 && (
              <th
                key={step}
                scope="col"
                colSpan={2}
                className="text-left font-mono text-label font-normal text-muted tabular-nums"
              >
                {toClockTime(step * STEP).slice(0, 2)}
              </th>
            ),
        )}
      </tr>
    </thead>
  );
}

interface DayRowProps {
  name: string;
  day: number;
  steps: readonly number[];
  active: Cell;
  /** Returns whether a cell is selected. */
  isSelected: (cell: Cell) => boolean;
}

function DayRow({ name, day, steps, active, isSelected }: DayRowProps) {
  return (
    <tr>
      <th scope="row" className="text-left text-sm font-medium">
        <abbr title={name} className="no-underline">
          {name.slice(0, 3)}
        </abbr>
      </th>
      {steps.map((step) => (
        <HalfHour
          key={step}
          name={name}
          cell={{ day, step }}
          isActive={day === active.day && step === active.step}
          isSelected={isSelected({ day, step })}
        />
      ))}
    </tr>
  );
}

interface HalfHourProps {
  /** Name of the day. */
  name: string;
  cell: Cell;
  isActive: boolean;
  isSelected: boolean;
}

function HalfHour({ name, cell: { day, step }, isActive, isSelected }: HalfHourProps) {
  return (
    <td
      data-day={day}
      data-step={step}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a cell of the grid
      role="gridcell"
      aria-label={`${name} ${toClockTime(step * STEP)}`}
      aria-selected={isSelected}
      tabIndex={isActive ? 0 : -1}
      className={clsx(
        'h-7 cursor-pointer border-y border-l focus-visible:relative focus-visible:z-1',
        'first-of-type:rounded-l-sm last:rounded-r-sm last:border-r forced-color-adjust-none',
        step % 2 === 0 ? 'border-l-line-strong' : 'border-l-line',
        isSelected
          ? 'border-y-accent bg-accent focus-visible:outline-3 focus-visible:outline-on-accent focus-visible:-outline-offset-5'
          : 'border-y-line bg-sunken hover:bg-accent-soft',
      )}
    />
  );
}

const MOVES: Partial<Record<string, readonly [days: number, steps: number]>> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

/** Returns the steps from 06:00 to 22:00, extended to include weekly hours outside this range. */
function visibleSteps(hours: readonly Hours[]): number[] {
  const isNight = WEEKDAYS.some((_, position) => isOfferedIn(hours, position + 1, 0, 360));
  const isLate = WEEKDAYS.some((_, position) => isOfferedIn(hours, position + 1, 1320, 1440));
  const [first, last] = [isNight ? 0 : 12, isLate ? 48 : 44];
  return Array.from({ length: last - first }, (_, offset) => first + offset);
}

function areaBetween(first: Cell, second: Cell): { days: [number, number]; steps: [number, number] } {
  return {
    days: [Math.min(first.day, second.day), Math.max(first.day, second.day)],
    steps: [Math.min(first.step, second.step), Math.max(first.step, second.step)],
  };
}

function applyDrag(hours: readonly Hours[], { from, to, isOffered }: Drag): Hours[] {
  const { days, steps } = areaBetween(from, to);
  const area = { firstDay: days[0], lastDay: days[1], from: steps[0] * STEP, to: (steps[1] + 1) * STEP };
  return editWeekHours(hours, area, isOffered);
}

function isWithin({ day, step }: Cell, { from, to }: Drag): boolean {
  const { days, steps } = areaBetween(from, to);
  return day >= days[0] && day <= days[1] && step >= steps[0] && step <= steps[1];
}

/** Returns the cell below the pointer, which the table has captured. Undefined outside of the cells. */
function cellAt({ clientX, clientY }: PointerEvent): Cell | undefined {
  const element = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('td[data-day]');
  return element ? { day: Number(element.dataset['day']), step: Number(element.dataset['step']) } : undefined;
}
