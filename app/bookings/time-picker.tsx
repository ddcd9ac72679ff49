import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type ReactNode, useId, useMemo, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { addDays, allZones, formatDay, groupByDay, startOfWeek, timeOf } from '../ui/lib/zoned-times.ts';
import { Select } from '../ui/select.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { freeTimesQuery } from './visitor-bookings.ts';

interface TimePickerProps {
  /** Selected time in ISO 8601, or null. */
  value: string | null;
  onChange: (time: string | null) => void;
  zone: string;
  onZone: (zone: string) => void;
  /** Rendered if there are no free times. */
  empty: ReactNode;
}

/**
 * Shows the days of a week and one day's free times. Both are radio buttons, which are accessible by keyboard and
 * screen reader.
 */
export function TimePicker({ value, onChange, zone, onZone, empty }: TimePickerProps) {
  const { data: times, error, refetch, isPending, isFetching } = useQuery(freeTimesQuery);
  if (isPending) return <LoadingTimes />;
  if (error) {
    return (
      <div role="alert" className="grid justify-items-start gap-3">
        <p>The free times could not be loaded.</p>
        <Button variant="secondary" size="sm" loading={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    );
  }
  if (times.length === 0) return empty;
  return (
    <div className="grid gap-5">
      <WeekOfTimes key={zone} times={times} value={value} onChange={onChange} zone={zone} />
      <Field label="Time zone">
        <Select value={zone} onChange={({ target }) => onZone(target.value)}>
          {allZones(zone).map((name) => (
            <option key={name} value={name}>
              {name.replaceAll('_', ' ')}
            </option>
          ))}
        </Select>
      </Field>
    </div>
  );
}

type WeekProps = Pick<TimePickerProps, 'value' | 'onChange' | 'zone'> & { times: string[] };

function WeekOfTimes({ times, value, onChange, zone }: WeekProps) {
  const days = useMemo(() => groupByDay(times, zone), [times, zone]);
  const [first = '', ...otherDays] = days.keys();
  const last = otherDays.at(-1) ?? first;
  const [selectedDay, setDay] = useState(
    () => [...days].find(([, dayTimes]) => value && dayTimes.includes(value))?.[0] ?? first,
  );
  // The day may have no free times left.
  const day = days.has(selectedDay) ? selectedDay : first;
  const [week, setWeek] = useState(() => startOfWeek(day));
  const dayTimes = days.get(day) ?? [];
  const name = useId();
  /** Moves to the nearest week with free times. */
  const changeWeek = (isForward: boolean) => {
    const candidates = [...days.keys()].filter((date) => (isForward ? startOfWeek(date) > week : date < week));
    const next = startOfWeek((isForward ? candidates[0] : candidates.at(-1)) ?? day);
    setWeek(next);
    choose([...days.keys()].find((date) => startOfWeek(date) === next) ?? day);
  };
  const choose = (next: string) => {
    setDay(next);
    onChange(null);
  };

  return (
    <>
      <WeekHead
        week={week}
        isFirst={week <= startOfWeek(first)}
        isLast={week >= startOfWeek(last)}
        onTurn={changeWeek}
      />
      <fieldset className="min-w-0">
        <legend className="sr-only">Day</legend>
        <div className="grid grid-cols-7 gap-1 sm:gap-2">
          {[0, 1, 2, 3, 4, 5, 6].map((offset) => {
            const date = addDays(week, offset);
            return (
              <Choice
                key={date}
                name={`${name}-day`}
                label={formatDay(date, { weekday: 'long', day: 'numeric', month: 'long' })}
                isChosen={date === day}
                isDisabled={!days.has(date)}
                onChoose={() => choose(date)}
                className="grid justify-items-center gap-0.5 py-2"
              >
                <span className="font-mono text-label uppercase">{formatDay(date, { weekday: 'short' })}</span>
                <span className="text-lg font-semibold tabular-nums">{formatDay(date, { day: 'numeric' })}</span>
              </Choice>
            );
          })}
        </div>
      </fieldset>
      <fieldset className="min-w-0">
        <legend className="mb-2 text-sm font-medium">
          Times on {formatDay(day, { weekday: 'long', day: 'numeric', month: 'long' })}
        </legend>
        <div className="grid grid-cols-[repeat(auto-fill,minmax(5.25rem,1fr))] gap-2">
          {dayTimes.map((time) => (
            <Choice
              key={time}
              name={`${name}-time`}
              label={timeOf(time, zone, dayTimes)}
              isChosen={time === value}
              onChoose={() => onChange(time)}
              className="grid min-h-11 place-items-center px-2 tabular-nums"
            >
              {timeOf(time, zone, dayTimes)}
            </Choice>
          ))}
        </div>
      </fieldset>
    </>
  );
}

const weekFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

interface WeekHeadProps {
  /** Monday of the week. */
  week: string;
  isFirst: boolean;
  isLast: boolean;
  onTurn: (isForward: boolean) => void;
}

function WeekHead({ week, isFirst, isLast, onTurn }: WeekHeadProps) {
  return (
    <div className="flex items-center justify-between gap-3">
      <p className="font-semibold" aria-live="polite">
        {weekFormat.formatRange(new Date(week), new Date(addDays(week, 6)))}
      </p>
      <div className="flex gap-1">
        <Button variant="ghost" size="icon" aria-label="Previous week" disabled={isFirst} onClick={() => onTurn(false)}>
          <ChevronLeft aria-hidden="true" />
        </Button>
        <Button variant="ghost" size="icon" aria-label="Next week" disabled={isLast} onClick={() => onTurn(true)}>
          <ChevronRight aria-hidden="true" />
        </Button>
      </div>
    </div>
  );
}

interface ChoiceProps {
  name: string;
  /** Full name, if `children` is abbreviated. */
  label: string;
  isChosen: boolean;
  isDisabled?: boolean;
  onChoose: () => void;
  className: string;
  children: ReactNode;
}

function Choice({ name, label, isChosen, isDisabled = false, onChoose, className, children }: ChoiceProps) {
  return (
    <label
      className={clsx(
        'relative rounded-md border transition-colors duration-150 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
        isDisabled && 'border-transparent text-muted opacity-60',
        !isDisabled && !isChosen && 'cursor-pointer border-line-strong bg-surface hover:border-ink hover:bg-sunken',
        isChosen && 'border-accent bg-accent text-on-accent',
        className,
      )}
    >
      <input
        type="radio"
        name={name}
        aria-label={label}
        checked={isChosen}
        disabled={isDisabled}
        onChange={onChoose}
        className="sr-only"
      />
      {children}
    </label>
  );
}

function LoadingTimes() {
  return (
    <div className="grid gap-5 print:hidden">
      <p role="status" className="text-muted">
        Loading free times...
      </p>
      <div className="grid grid-cols-7 gap-1 sm:gap-2">
        {['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((key) => (
          <Skeleton key={key} className="h-16" />
        ))}
      </div>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(5.25rem,1fr))] gap-2">
        {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((key) => (
          <Skeleton key={key} className="h-11" />
        ))}
      </div>
    </div>
  );
}
