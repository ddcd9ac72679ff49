/** Reads what a link to a version answers. Loaded once somebody asks, because zod weighs 24 kB. */
import { z } from 'zod';

const linkedSchema = z.object({
  /** `newer`: another version replaced it. `used`: the link served, and a newer version came afterwards. */
  state: z.enum(['open', 'newer', 'used', 'decided']),
  kind: z.enum(['text', 'list', 'file']),
  title: z.string(),
  client: z.string(),
  number: z.number(),
  text: z.string(),
  /** Null but for a file. */
  file: z.object({ object_name: z.string(), name: z.string(), mimetype: z.string(), size: z.number() }).nullable(),
  /** The version before; null for none, and for a list and a file. */
  former_text: z.string().nullable(),
  /** YYYY-MM-DD */
  due_on: z.string().nullable(),
  /** On this version; null while it waits. */
  verdict: z.string().nullable(),
  /** In whose name the link decides. */
  person: z.string(),
});

export type LinkedVersion = z.output<typeof linkedSchema>;

/** Reads the answer of open_approval_link(). @throws ZodError */
export function readLinkedVersion(answer: unknown): LinkedVersion | { refusal: string } {
  return z.union([linkedSchema, z.object({ refusal: z.string() })]).parse(answer);
}
