/** Criteria of a meeting, as stored in the text of an approval. */
import { z } from 'zod';

const criteriaSchema = z.object({
  roles: z.array(z.string()),
  minimum_size: z.number().nullable(),
  maximum_size: z.number().nullable(),
  /** ISO 3166 codes. */
  countries: z.array(z.string()),
  excludes_customers: z.boolean(),
  minimum_minutes: z.number().nullable(),
});

/** A criterion is not set if its list is empty or its value is null. */
export type Criteria = z.output<typeof criteriaSchema>;

/** Keys of criteria, in display order. */
export const CRITERION_KEYS = ['role', 'size', 'country', 'customer', 'minutes'] as const;

export type CriterionKey = (typeof CRITERION_KEYS)[number];

/**
 * Parses the text of a version.
 * @throws ZodError or SyntaxError
 */
export function parseCriteria(text: string): Criteria {
  return criteriaSchema.parse(JSON.parse(text));
}

/** Returns a sentence for each criterion that is set. */
export function criterionSentences(criteria: Criteria): { key: CriterionKey; sentence: string }[] {
  return CRITERION_KEYS.flatMap((key) => {
    const sentence = SENTENCES[key](criteria);
    return sentence === '' ? [] : [{ key, sentence }];
  });
}

const SENTENCES: Record<CriterionKey, (criteria: Criteria) => string> = {
  role: ({ roles }) => (roles.length === 0 ? '' : `The person’s role is ${formatChoice(roles)}.`),
  size: ({ minimum_size, maximum_size }) => {
    if (minimum_size !== null && maximum_size !== null) {
      return `The company has between ${formatNumber(minimum_size)} and ${formatNumber(maximum_size)} employees.`;
    }
    if (minimum_size !== null) return `The company has at least ${formatNumber(minimum_size)} employees.`;
    return maximum_size === null ? '' : `The company has at most ${formatNumber(maximum_size)} employees.`;
  },
  country: ({ countries }) =>
    countries.length === 0 ? '' : `The company is in ${formatChoice(countries.map(countryName))}.`,
  customer: ({ excludes_customers }) => (excludes_customers ? 'The company is not a customer yet.' : ''),
  minutes: ({ minimum_minutes }) =>
    minimum_minutes === null ? '' : `The meeting lasts at least ${formatNumber(minimum_minutes)} minutes.`,
};

function formatChoice(entries: readonly string[]): string {
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(entries);
}

function formatNumber(number: number): string {
  return number.toLocaleString('en-GB');
}

/** Returns the English name of a country, or its code if the browser has no name. */
export function countryName(code: string): string {
  return new Intl.DisplayNames(['en-GB'], { type: 'region' }).of(code) ?? code;
}
