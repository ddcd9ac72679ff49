import { z } from 'zod';
import type { Availability } from '../../data/bookings/bookings.ts';

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const wholeNumber = (least: number, most: number, sentence: string) =>
  z.string().refine((text) => /^\d{1,4}$/.test(text) && Number(text) >= least && Number(text) <= most, sentence);

const clock = z.string().regex(/^\d\d:\d\d$/, 'Enter a time.');

/** Values of the form: numbers as typed, and midnight at the end of a day as 00:00. */
export const availabilitySchema = z
  .object({
    time_zone: z.string().min(1),
    length_minutes: wholeNumber(10, 480, 'Enter 10 to 480 minutes.'),
    notice_hours: wholeNumber(0, 720, 'Enter 0 to 720 hours.'),
    days_ahead: wholeNumber(1, 60, 'Enter 1 to 60 days.'),
    place: z.string().trim().max(300, 'At most 300 characters.'),
    hours: z.array(z.object({ weekday: z.number(), starts_at: clock, ends_at: clock })),
  })
  .superRefine(({ hours }, context) => {
    hours.forEach((one, index) => {
      const [starts, ends] = [one.starts_at, endOf(one.ends_at)];
      if (ends <= starts) {
        context.addIssue({ code: 'custom', path: ['hours', index, 'ends_at'], message: 'Ends before it begins.' });
      }
      const overlaps = hours.some(
        (other, place) =>
          place < index && other.weekday === one.weekday && other.starts_at < ends && starts < endOf(other.ends_at),
      );
      if (overlaps) {
        context.addIssue({ code: 'custom', path: ['hours', index, 'starts_at'], message: 'Overlaps other hours.' });
      }
    });
  });

export type AvailabilityForm = z.infer<typeof availabilitySchema>;

/** Midnight ends a day, and begins none here. */
function endOf(clockTime: string): string {
  return clockTime === '00:00' ? '24:00' : clockTime;
}

export function toForm(saved: Availability): AvailabilityForm {
  return {
    time_zone: saved.time_zone,
    length_minutes: String(saved.length_minutes),
    notice_hours: String(Math.ceil(saved.notice_minutes / 60)),
    days_ahead: String(Math.min(60, saved.days_ahead)),
    place: saved.place,
    hours: saved.hours.map((one) => ({ ...one, ends_at: one.ends_at.replace('24:00', '00:00') })),
  };
}

export function fromForm(form: AvailabilityForm): Availability {
  return {
    time_zone: form.time_zone,
    length_minutes: Number(form.length_minutes),
    notice_minutes: Number(form.notice_hours) * 60,
    days_ahead: Number(form.days_ahead),
    place: form.place,
    hours: form.hours.map((one) => ({ ...one, ends_at: endOf(one.ends_at) })),
  };
}
