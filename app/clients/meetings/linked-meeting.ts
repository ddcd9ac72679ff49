/** Schema of the response to opening a result link. Loaded on demand because zod adds 24 kB. */
import { z } from 'zod';
import { reportedSchema } from './meeting-details.ts';

const linkedSchema = z.object({
  client: z.string(),
  currency: z.string(),
  /** Recipient of the link. */
  person: z.string(),
  met_with: z.string(),
  starts_at: z.string(),
  /** Latest report, or null. */
  report: reportedSchema.nullable(),
});

export type LinkedMeeting = z.output<typeof linkedSchema>;

/**
 * Parses the response of open_result_link().
 * @throws ZodError
 */
export function readLinkedMeeting(response: unknown): LinkedMeeting {
  return linkedSchema.parse(response);
}
