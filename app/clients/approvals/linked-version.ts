/** Schema of the response to opening an email link. Loaded on demand because zod adds 24 kB. */
import { z } from 'zod';

const linkedSchema = z.object({
  /** `newer`: a newer version exists. `used`: the link has been used, and a newer version exists. */
  state: z.enum(['open', 'newer', 'used', 'decided']),
  kind: z.enum(['text', 'list', 'file', 'criteria']),
  title: z.string(),
  client: z.string(),
  number: z.number(),
  text: z.string(),
  /** Null unless the kind is `file`. */
  file: z.object({ object_name: z.string(), name: z.string(), mimetype: z.string(), size: z.number() }).nullable(),
  /** Previous version of a text, or null. */
  former_text: z.string().nullable(),
  /** YYYY-MM-DD */
  due_on: z.string().nullable(),
  /** Decision on this version, or null while pending. */
  verdict: z.string().nullable(),
  /** Recipient of the link. */
  person: z.string(),
});

export type LinkedVersion = z.output<typeof linkedSchema>;

/**
 * Parses the response of open_approval_link().
 * @throws ZodError
 */
export function readLinkedVersion(response: unknown): LinkedVersion | { refusal: string } {
  return z.union([linkedSchema, z.object({ refusal: z.string() })]).parse(response);
}
