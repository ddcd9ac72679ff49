/** Schema of the response to opening a lead link. Loaded on demand because zod adds 24 kB. */
import { z } from 'zod';
import { leadSchema } from './lead-schema.ts';

const linkedSchema = z.object({
  client: z.string(),
  /** Recipient of the link. */
  person: z.string(),
  lead: leadSchema,
});

export type LinkedLead = z.output<typeof linkedSchema>;

/**
 * Parses the response of open_lead_link().
 * @throws ZodError
 */
export function readLinkedLead(response: unknown): LinkedLead {
  return linkedSchema.parse(response);
}
