import type { Availability } from '../../data/bookings/bookings.ts';

/**
 * Returns the hours of the axis of a week: those in which calls are offered, and those of the calls that were booked
 * outside. An hour of which only the beginning is offered counts.
 */
export function hoursOfAxis(offered: Availability['hours'], booked: readonly number[]): number[] {
  const first = Math.min(...offered.map(({ starts_at }) => hourOfClock(starts_at)), ...booked, 9);
  const last = Math.max(...offered.map(({ ends_at }) => lastHourBefore(ends_at)), ...booked, 16);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** 9 for 09:30. */
export function hourOfClock(clock: string): number {
  return Number(clock.slice(0, 2));
}

function lastHourBefore(end: string): number {
  return end.slice(3, 5) === '00' ? hourOfClock(end) - 1 : hourOfClock(end);
}
