/** Schema of a funnel, shared by the portal and reports. */
import { z } from 'zod';

/** Steps of a funnel, in order. */
export const STEPS = {
  delivered: 'Delivered',
  replies: 'Replies',
  interested: 'Interested',
  booked: 'Meetings booked',
  held: 'Meetings held',
  opportunities: 'Opportunities',
  won: 'Won',
} as const;

/** Label of the held meetings without a result, which are not a step. */
export const NOT_REPORTED = 'Not reported';

const count = z.number();

export const funnelSchema = z.object({
  first_day: z.string(),
  last_day: z.string(),
  /** Null without figures. */
  delivered: count.nullable(),
  replies: count.nullable(),
  interested: count,
  booked: count,
  held: count,
  opportunities: count,
  won: count,
  /** Held meetings without a result. */
  not_reported: count,
});

export type Funnel = z.output<typeof funnelSchema>;

/** Steps that count leads or meetings, and held meetings without a result. */
export type ItemStep = Exclude<keyof Funnel, 'first_day' | 'last_day' | 'delivered' | 'replies'>;

/** True if nothing is counted. */
export function isEmptyFunnel({ delivered, replies, interested, booked }: Funnel): boolean {
  return !delivered && !replies && interested === 0 && booked === 0;
}
