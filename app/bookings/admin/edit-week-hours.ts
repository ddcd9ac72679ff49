import type { Hours } from './availability-schema.ts';

/** Rectangle in the week grid. It covers a range of days and a range of minutes since midnight. */
export interface Area {
  firstDay: number;
  lastDay: number;
  from: number;
  to: number;
}

/** Adds or removes a rectangle in the week. Adjacent hours are merged. Incomplete hours are kept. */
export function editWeekHours(hours: readonly Hours[], area: Area, isOffered: boolean): Hours[] {
  const { firstDay, lastDay, from, to } = area;
  const isEdited = (slot: Hours) => slot.weekday >= firstDay && slot.weekday <= lastDay && toSpan(slot) !== undefined;
  const editedHours = Array.from({ length: lastDay - firstDay + 1 }, (_, offset) => firstDay + offset).flatMap(
    (weekday) => {
      const spans = hours
        .filter((slot) => slot.weekday === weekday)
        .map(toSpan)
        .filter((span) => span !== undefined);
      const newSpans = isOffered ? mergeSpans([...spans, [from, to]]) : subtractSpan(spans, from, to);
      return newSpans.map(([start, end]) => ({ weekday, starts_at: toClockTime(start), ends_at: toClockTime(end) }));
    },
  );
  return [...hours.filter((slot) => !isEdited(slot)), ...editedHours];
}

/** Returns whether any calls are offered on a day within a range of minutes. */
export function isOfferedIn(hours: readonly Hours[], weekday: number, from: number, to: number): boolean {
  return hours.some((slot) => {
    const span = slot.weekday === weekday && toSpan(slot);
    return span && span[0] < to && from < span[1];
  });
}

const MINUTES_PER_DAY = 1440;

type Span = [start: number, end: number];

/** Returns the span in minutes. Undefined if a time is missing or the end is not after the start. */
function toSpan({ starts_at, ends_at }: Hours): Span | undefined {
  if (starts_at === '' || ends_at === '') return undefined;
  const [start, end] = [toMinutes(starts_at), toMinutes(ends_at) || MINUTES_PER_DAY];
  return end > start ? [start, end] : undefined;
}

function toMinutes(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
}

/** Converts 570 to '09:30'. The end of a day is '00:00'. */
export function toClockTime(minutes: number): string {
  const [hour, minute] = [Math.floor(minutes / 60) % 24, minutes % 60];
  return [hour, minute].map((part) => String(part).padStart(2, '0')).join(':');
}

function mergeSpans(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const [start, end] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else result.push([start, end]);
  }
  return result;
}

function subtractSpan(spans: readonly Span[], from: number, to: number): Span[] {
  return spans
    .flatMap(([start, end]): Span[] => [
      [start, Math.min(end, from)],
      [Math.max(start, to), end],
    ])
    .filter(([start, end]) => end > start);
}
