/** Details of a meeting. They include its facts, the results of the criteria in force, and its history. */
import { z } from 'zod';
import { keysOf } from '../../ui/lib/keys-of.ts';
import { oneLine } from '../../ui/lib/one-line.ts';
import { MAX_MINUTES, MAX_SIZE, optionalNumber } from '../approvals/approval-criteria.ts';
import {
  CRITERION_KEYS,
  type CriterionKey,
  countryName,
  criterionSentences,
  parseCriteria,
} from '../approvals/criteria.ts';

/** States of a criterion for a meeting. */
export const STATES = { met: 'Met', not_met: 'Not met', unknown: 'Not recorded' } as const;

/** Labels of the entries in a meeting's history, which are outcomes and the client's answers. */
export const CHANGES = {
  booked: 'Booked',
  held: 'Held',
  no_show: 'No-show',
  accepted: 'Accepted',
  disputed: 'Disputed',
} as const;

/** Results of a held meeting. */
export const RESULTS = { nothing_yet: 'Nothing yet', opportunity: 'Opportunity', won: 'Won', lost: 'Lost' } as const;

const disputedCriterion = z.enum([...CRITERION_KEYS, 'other']);

export type DisputedCriterion = z.output<typeof disputedCriterion>;

const judgementSchema = z.object({
  approval_id: z.string(),
  /** Version of the criteria. */
  number: z.number(),
  /** Criteria in force when the meeting was held. */
  text: z.string(),
  results: z.array(z.object({ key: z.enum(CRITERION_KEYS), state: z.enum(keysOf(STATES)) })),
});

export type Judgement = z.output<typeof judgementSchema>;

export const factsSchema = z.object({
  /** Empty if not recorded. */
  role: z.string(),
  company_size: z.number().nullable(),
  /** ISO 3166 code. Empty if not recorded. */
  country: z.string(),
  is_customer: z.boolean().nullable(),
  minutes: z.number().nullable(),
});

export type Facts = z.output<typeof factsSchema>;

export const reportedSchema = z.object({
  number: z.number(),
  status: z.enum(keysOf(RESULTS)),
  /** Null if unknown, or hidden from a viewer. */
  amount: z.number().nullable(),
  reason: z.string(),
  at: z.string(),
  by: z.string(),
});

export type Report = z.output<typeof reportedSchema>;

export const meetingDetailsSchema = factsSchema.extend({
  /** Disputed criterion, or null. */
  criterion: disputedCriterion.nullable(),
  /** The lead who agreed to meet, or null. */
  lead: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** Null if no criteria were in force. */
  judgement: judgementSchema.nullable(),
  /** True if the month of the meeting is closed. */
  is_closed: z.boolean(),
  /** Reported results, latest first. `is_awaited` is true if the client should report a result. */
  result: z.object({ is_awaited: z.boolean(), reports: z.array(reportedSchema) }),
  /** Latest first. */
  changes: z.array(
    z.object({
      number: z.number(),
      status: z.enum(keysOf(CHANGES)),
      reason: z.string(),
      criterion: disputedCriterion.nullable(),
      at: z.string(),
      by: z.string(),
    }),
  ),
});

/** Form fields for a meeting's facts. All are optional. */
export const factsFields = {
  role: oneLine.max(200, 'Role must be at most 200 characters'),
  company_size: optionalNumber('Size', MAX_SIZE),
  country: z.union([z.literal(''), z.string().regex(/^[A-Z]{2}$/, 'Choose a country')]),
  is_customer: z.enum(['', 'yes', 'no']).transform((answer) => (answer === '' ? null : answer === 'yes')),
  minutes: optionalNumber('Duration', MAX_MINUTES),
};

/** Form field for the disputed criterion. */
export const criterionInputSchema = z
  .enum([...CRITERION_KEYS, 'other', ''])
  .refine((key) => key !== '', 'Choose a criterion.');

/** Returns a label such as 'Kari, Kunde AS', with a fallback for meetings counted from a figure. */
export function meetingName({ met_with }: { met_with: string }): string {
  return met_with === '' ? 'Name to be added' : met_with;
}

/** Returns the sentence that describes a disputed criterion. */
export function criterionLabel(key: DisputedCriterion, judgement: Judgement | null): string {
  const sentences = judgement ? criterionSentences(parseCriteria(judgement.text)) : [];
  return sentences.find((criterion) => criterion.key === key)?.sentence ?? LABELS[key];
}

/** Short names of criteria. */
export const LABELS: Record<DisputedCriterion, string> = {
  role: 'Role',
  size: 'Company size',
  country: 'Country',
  customer: 'Not a customer yet',
  minutes: 'Duration',
  other: 'Other',
};

/** Formats the fact that a criterion checks, such as '120 employees'. Returns '' if it is not recorded. */
export function formatFact(key: CriterionKey, { role, company_size, country, is_customer, minutes }: Facts): string {
  if (key === 'role') return role;
  if (key === 'size') return company_size === null ? '' : `${company_size.toLocaleString('en-GB')} employees`;
  if (key === 'country') return country === '' ? '' : countryName(country);
  if (key === 'minutes') return minutes === null ? '' : `${minutes.toLocaleString('en-GB')} minutes`;
  if (is_customer === null) return '';
  return is_customer ? 'Is a customer' : 'Not a customer';
}
