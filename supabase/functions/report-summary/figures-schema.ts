/** Schema of the stored report figures that the summary uses. The report page extends it. */
import { z } from 'zod';
import { METRIC_NAMES } from '../metrics.ts';

const count = z.number();
const metric = z.enum(METRIC_NAMES);
const day = z.string();

export const changeSchema = z.object({
  kind: z.enum(['added', 'phase', 'ended', 'text']),
  name: z.string(),
  detail: z.string(),
});

export const figuresSchema = z.object({
  result: z.array(z.object({ metric, value: count.nullable(), before: count.nullable() })),
  campaigns: z.array(z.object({ name: z.string(), channel: z.string(), figures: z.partialRecord(metric, count) })),
  meetings: z.object({ held: count, no_show: count, booked: count, disputed: count }),
  goals: z.array(z.object({ metric, goal: count, value: count })),
  changes: z.array(changeSchema),
  next: z.array(z.object({ campaign: z.string(), step: z.string(), due_on: day.nullable() })),
  wishes: z.array(
    z.object({ kind: z.enum(['text', 'meetings', 'goals', 'leave_alone']), name: z.string(), due_on: day.nullable() }),
  ),
});
