import { z } from 'zod';

export const bookingSchema = z.object({
  heading: z.string(),
  description: z.string(),
  /** An https URL of a scheduling page, which is embedded. Any other text is shown as a placeholder. */
  calendlyPlaceholder: z.string(),
});

export type Booking = z.infer<typeof bookingSchema>;

export const bookingDefaults: Booking = {
  heading: 'Ready to Scale Your Outbound?',
  description:
    'Thirty minutes with the engineer who would build it. Bring your numbers; you leave with a plan, whether or not we work together.',
  calendlyPlaceholder: 'The scheduling calendar appears here.',
};
