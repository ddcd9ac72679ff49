/** Schema of a client's lead, shared by the portal and the linked lead page. */
import { z } from 'zod';
import { keysOf } from '../../ui/lib/keys-of.ts';

/** Statuses of a lead, in workflow order. */
export const LEAD_STATUSES = {
  new: 'New',
  taken: 'Taken',
  meeting: 'Meeting',
  won: 'Won',
  not_fit: 'Not a fit',
  lost: 'Lost',
} as const;

export type LeadStatus = keyof typeof LEAD_STATUSES;

const status = z.enum(keysOf(LEAD_STATUSES));

export const listedSchema = z.object({
  id: z.string(),
  /** Empty if unknown. At least one of `name`, `email` and `company` is set. */
  name: z.string(),
  /** Email address, or the name at the provider for other channels. */
  email: z.string(),
  company: z.string(),
  title: z.string(),
  campaign: z.string().nullable(),
  status,
  received_at: z.string(),
  taken_by: z.string(),
});

const meetingSchema = z.object({
  id: z.string(),
  /** Null until a team member adds the time. */
  starts_at: z.string().nullable(),
  outcome: z.enum(['booked', 'held', 'no_show']),
});

const listRowSchema = z.object({
  /** The approved list. */
  approval_id: z.string(),
  title: z.string(),
  /** Version of the list. */
  number: z.number(),
  decided_at: z.string(),
  /** Line in the imported file. */
  line: z.number(),
  /** Empty if unknown, like the other text fields. `hint` is the masked email address. */
  company: z.string(),
  domain: z.string(),
  person: z.string(),
  hint: z.string(),
});

export const leadSchema = listedSchema.extend({
  campaign_id: z.string().nullable(),
  words: z.string(),
  step: z.number().nullable(),
  approval_id: z.string().nullable(),
  /** Title of the text that the step sends. */
  text: z.string().nullable(),
  /** Row of an approved list that matches the lead, or null. */
  list_row: listRowSchema.nullable(),
  origin: z.enum(['reply', 'person']),
  reason: z.string(),
  taken_at: z.string().nullable(),
  added_by: z.string(),
  /** Latest first. */
  meetings: z.array(meetingSchema),
  /** Latest first. */
  changes: z.array(z.object({ number: z.number(), status, reason: z.string(), at: z.string(), by: z.string() })),
});

export type ListedLead = z.output<typeof listedSchema>;
export type Lead = z.output<typeof leadSchema>;

/** Returns the person's name. If it is unknown, returns the email address or the company. */
export function leadName({ name, email, company }: Pick<Lead, 'name' | 'email' | 'company'>): string {
  return name || email || company;
}
