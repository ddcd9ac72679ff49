import { timeOf } from '../../ui/lib/zoned-times.ts';
import type { Availability, BookingRow } from '../bookings.ts';

/** Range of minutes since midnight. */
export interface Span {
  from: number;
  to: number;
}

/** Returns the minutes of a call in a time zone. Excludes the part after midnight. */
export function callSpan({ starts_at, ends_at }: Pick<BookingRow, 'starts_at' | 'ends_at'>, zone: string): Span {
  const from = parseClockTime(timeOf(starts_at, zone));
  const minutes = (Date.parse(ends_at) - Date.parse(starts_at)) / 60_000;
  return { from, to: Math.min(from + minutes, 24 * 60) };
}

/** Returns the minutes of weekly hours. */
export function hoursSpan({ starts_at, ends_at }: Pick<Availability['hours'][number], 'starts_at' | 'ends_at'>): Span {
  return { from: parseClockTime(starts_at), to: parseClockTime(ends_at) };
}

/** Returns the hours on the axis. They form a continuous range that includes all spans and 9:00 to 17:00. */
export function axisHours(spans: readonly Span[]): number[] {
  const start = Math.floor(Math.min(...spans.map(({ from }) => from), 9 * 60) / 60);
  const end = Math.ceil(Math.max(...spans.map(({ to }) => to), 17 * 60) / 60);
  return Array.from({ length: end - start }, (_, index) => start + index);
}

/** Item with its span, and its lane if other items overlap it. */
export interface PlacedItem<Item> {
  item: Item;
  span: Span;
  /** Index from the left, out of `lanes`. */
  lane: number;
  lanes: number;
}

/**
 * Places overlapping calls side by side, because the time of a cancelled call can be booked again.
 *
 * @param items sorted by start
 */
export function placeSideBySide<Item>(items: readonly { item: Item; span: Span }[]): PlacedItem<Item>[] {
  const placedItems: PlacedItem<Item>[] = [];
  let group: PlacedItem<Item>[] = [];
  for (const { item, span } of items) {
    if (group.every((other) => other.span.to <= span.from)) group = [];
    const usedLanes = new Set(group.filter((other) => other.span.to > span.from).map(({ lane }) => lane));
    const lane = [...usedLanes, usedLanes.size].findIndex((_, index) => !usedLanes.has(index));
    const entry = { item, span, lane, lanes: 1 };
    group.push(entry);
    placedItems.push(entry);
    const lanes = Math.max(...group.map(({ lane }) => lane)) + 1;
    for (const other of group) other.lanes = lanes;
  }
  return placedItems;
}

/** Converts '09:30' to 570. */
function parseClockTime(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
}
