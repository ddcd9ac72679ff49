import { timeOf } from '../../ui/lib/zoned-times.ts';
import type { Availability, BookingRow } from '../bookings.ts';

/** A part of a day, in minutes from its midnight. */
export interface Span {
  from: number;
  to: number;
}

/** Returns the minutes of its day that a call takes in a zone; what goes on after midnight is left out. */
export function spanOfCall({ starts_at, ends_at }: Pick<BookingRow, 'starts_at' | 'ends_at'>, zone: string): Span {
  const from = minuteOfClock(timeOf(starts_at, zone));
  const minutes = (Date.parse(ends_at) - Date.parse(starts_at)) / 60_000;
  return { from, to: Math.min(from + minutes, 24 * 60) };
}

/** Returns the minutes of a day that hours on offer take. */
export function spanOfHours({
  starts_at,
  ends_at,
}: Pick<Availability['hours'][number], 'starts_at' | 'ends_at'>): Span {
  return { from: minuteOfClock(starts_at), to: minuteOfClock(ends_at) };
}

/** Returns the hours of the axis of a week: all that a span touches, and 9 to 17 in any case. */
export function hoursOfAxis(spans: readonly Span[]): number[] {
  const first = Math.floor(Math.min(...spans.map(({ from }) => from), 9 * 60) / 60);
  const end = Math.ceil(Math.max(...spans.map(({ to }) => to), 17 * 60) / 60);
  return Array.from({ length: end - first }, (_, index) => first + index);
}

/** A call with its place beside those that overlap it. */
export interface Placed<Item> {
  item: Item;
  span: Span;
  /** From the left, of `lanes`. */
  lane: number;
  lanes: number;
}

/**
 * Puts calls that overlap side by side: a time whose call was cancelled may be booked anew.
 * @param items in the order in which they begin
 */
export function placeSideBySide<Item>(items: readonly { item: Item; span: Span }[]): Placed<Item>[] {
  const placed: Placed<Item>[] = [];
  let group: Placed<Item>[] = [];
  for (const { item, span } of items) {
    if (group.every((other) => other.span.to <= span.from)) group = [];
    const taken = new Set(group.filter((other) => other.span.to > span.from).map(({ lane }) => lane));
    const free = [...taken, taken.size].findIndex((_, lane) => !taken.has(lane));
    const one = { item, span, lane: free, lanes: 1 };
    group.push(one);
    placed.push(one);
    const lanes = Math.max(...group.map(({ lane }) => lane)) + 1;
    for (const other of group) other.lanes = lanes;
  }
  return placed;
}

/** 570 for 09:30. */
function minuteOfClock(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
}
