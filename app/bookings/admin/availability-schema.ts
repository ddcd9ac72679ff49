import { z } from 'zod';
import type { Availability } from '../bookings.ts';

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const wholeNumber = (min: number, max: number, message: string) =>
  z.string().refine((text) => /^\d{1,4}$/.test(text) && Number(text) >= min && Number(text) <= max, message);

const clock = z.string().regex(/^\d\d:\d\d$/, 'Enter a time.');

/** Form schema. Numbers are entered as text, and 00:00 at the end of a day means 24:00. */
export const availabilitySchema = z
  .object({
    time_zone: z.string().min(1, 'Choose a time zone.').max(64, 'Choose a time zone.'),
    length_minutes: wholeNumber(10, 480, 'Enter 10 to 480 minutes.'),
    notice_hours: wholeNumber(0, 720, 'Enter 0 to 720 hours.'),
    days_ahead: wholeNumber(1, 60, 'Enter 1 to 60 days.'),
    place: z.string().trim().max(300, 'At most 300 characters.'),
    hours: z.array(z.object({ weekday: z.number(), starts_at: clock, ends_at: clock })),
  })
  .superRefine(({ hours }, context) => {
    hours.forEach((range, index) => {
      const [start, end] = [range.starts_at, toEndTime(range.ends_at)];
      if (end <= start) {
        context.addIssue({
          code: 'custom',
          path: ['hours', index, 'ends_at'],
          message: 'The end must be later than the start.',
        });
      }
      const overlaps = hours.some(
        (other, otherIndex) =>
          otherIndex < index &&
          other.weekday === range.weekday &&
          other.starts_at < end &&
          start < toEndTime(other.ends_at),
      );
      if (overlaps) {
        context.addIssue({
          code: 'custom',
          path: ['hours', index, 'starts_at'],
          message: 'These hours overlap others on this day.',
        });
      }
    });
  });

export type AvailabilityForm = z.infer<typeof availabilitySchema>;

export type Hours = AvailabilityForm['hours'][number];

/** Templates for a week. */
export const PRESETS = [
  { label: 'Mon to Fri, 9 to 12', hours: createPreset([1, 2, 3, 4, 5], [['09:00', '12:00']]) },
  {
    label: 'Mon to Fri, 9 to 16 with a break at 12',
    hours: createPreset(
      [1, 2, 3, 4, 5],
      [
        ['09:00', '12:00'],
        ['13:00', '16:00'],
      ],
    ),
  },
  { label: 'Tue and Thu, 13 to 16', hours: createPreset([2, 4], [['13:00', '16:00']]) },
];

function createPreset(days: readonly number[], ranges: readonly (readonly [from: string, to: string])[]): Hours[] {
  return days.flatMap((weekday) => ranges.map(([starts_at, ends_at]) => ({ weekday, starts_at, ends_at })));
}

/** Replaces the target days' hours with the hours of one day. */
export function copyHours(hours: readonly Hours[], from: number, to: readonly number[]): Hours[] {
  const days = to.filter((day) => day !== from);
  const dayHours = hours.filter(({ weekday }) => weekday === from);
  return [
    ...hours.filter(({ weekday }) => !days.includes(weekday)),
    ...days.flatMap((weekday) => dayHours.map((range) => ({ ...range, weekday }))),
  ];
}

/** Returns default hours to add. They are in the morning, or start one hour after the day's last hours. */
export function nextHours(weekday: number, dayHours: readonly Hours[]): Hours {
  const last = dayHours.map(({ ends_at }) => Number(toEndTime(ends_at).slice(0, 2))).toSorted((a, b) => b - a)[0];
  if (last === undefined) return { weekday, starts_at: '09:00', ends_at: '12:00' };
  const start = Math.min(last + 1, 22);
  return { weekday, starts_at: formatHour(start), ends_at: formatHour(Math.min(start + 3, 24) % 24) };
}

function formatHour(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

/** Converts an end time. 00:00 means midnight at the end of the day. */
function toEndTime(clockTime: string): string {
  return clockTime === '00:00' ? '24:00' : clockTime;
}

export function toForm(saved: Availability): AvailabilityForm {
  return {
    time_zone: saved.time_zone,
    length_minutes: String(saved.length_minutes),
    notice_hours: String(Math.ceil(saved.notice_minutes / 60)),
    days_ahead: String(Math.min(60, saved.days_ahead)),
    place: saved.place,
    hours: saved.hours.map((range) => ({ ...range, ends_at: range.ends_at.replace('24:00', '00:00') })),
  };
}

export function fromForm(form: AvailabilityForm): Availability {
  return {
    time_zone: form.time_zone,
    length_minutes: Number(form.length_minutes),
    notice_minutes: Number(form.notice_hours) * 60,
    days_ahead: Number(form.days_ahead),
    place: form.place,
    hours: form.hours.map((range) => ({ ...range, ends_at: toEndTime(range.ends_at) })),
  };
}
