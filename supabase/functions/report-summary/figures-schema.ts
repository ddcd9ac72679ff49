/** The figures of a report as the database fills them in, for its page and for its summary. */
import { z } from 'zod';

const count = z.number();
const day = z.string().nullable();

export const figuresSchema = z.object({
  result: z.array(z.object({ metric: z.string(), value: count.nullable(), before: count.nullable() })),
  campaigns: z.array(z.object({ name: z.string(), channel: z.string(), figures: z.record(z.string(), count) })),
  meetings: z.object({ held: count, no_show: count, booked: count, disputed: count }),
  goals: z.array(z.object({ metric: z.string(), goal: count, value: count })),
  changes: z.array(z.object({ kind: z.string(), name: z.string(), detail: z.string() })),
  next: z.array(z.object({ campaign: z.string(), step: z.string(), due_on: day })),
  wishes: z.array(z.object({ kind: z.string(), name: z.string(), due_on: day })),
});
