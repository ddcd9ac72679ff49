/** Schema of a funnel, shared by the portal and reports. */
import { z } from 'zod';
import { formatShare } from '../figures/progress.ts';

/** Steps of a funnel, in order. */
export const STEPS = {
  delivered: 'Delivered',
  replies: 'Replies',
  interested: 'Leads',
  booked: 'Meetings booked',
  held: 'Meetings held',
  opportunities: 'Opportunities',
  won: 'Won',
} as const;

/** Base step of each rate. */
const BASE_STEPS = {
  delivered: null,
  replies: 'delivered',
  interested: 'replies',
  booked: 'interested',
  held: 'booked',
  opportunities: 'held',
  won: 'held',
  not_reported: 'held',
} as const;

/** Label of held meetings without a result, which are not a step of the funnel. */
export const NOT_REPORTED = 'Not reported';

const count = z.number();

export const funnelSchema = z.object({
  first_day: z.string(),
  last_day: z.string(),
  /** Null if there are no figures. */
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

/** Formats a rate, such as '41% of booked'. Null if a count is missing or exceeds its base. */
export function computeRate(funnel: Funnel, step: keyof typeof BASE_STEPS): { share: number; text: string } | null {
  const base = BASE_STEPS[step];
  const value = funnel[step];
  const total = base && funnel[base];
  if (value === null || !total || value > total || (step === 'interested' && lacksLeads(funnel))) return null;
  return { share: value / total, text: `${formatShare(value, total)} of ${base === 'interested' ? 'leads' : base}` };
}

/** Returns true if meetings were booked without a recorded lead. A count of 0 would suggest that no one was interested. */
export function lacksLeads({ interested, booked }: Funnel): boolean {
  return interested === 0 && booked > 0;
}

/** Returns true if all counts are zero or missing. */
export function isEmptyFunnel({ delivered, replies, interested, booked }: Funnel): boolean {
  return !delivered && !replies && interested === 0 && booked === 0;
}
