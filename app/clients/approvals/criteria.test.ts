import { expect, test } from 'vitest';
import { COUNTRY_CODES } from './country-codes.ts';
import { type Criteria, countryName, criterionSentences, parseCriteria } from './criteria.ts';

const NO_CRITERIA: Criteria = {
  roles: [],
  minimum_size: null,
  maximum_size: null,
  countries: [],
  excludes_customers: false,
  minimum_minutes: null,
};

test.each([
  [{ roles: ['CEO'] }, 'The person’s role is CEO.'],
  [{ roles: ['CEO', 'Founder', 'Owner'] }, 'The person’s role is CEO, Founder or Owner.'],
  [{ minimum_size: 1000 }, 'The company has at least 1,000 employees.'],
  [{ maximum_size: 50 }, 'The company has at most 50 employees.'],
  [{ minimum_size: 50, maximum_size: 500 }, 'The company has between 50 and 500 employees.'],
  [{ countries: ['NO', 'SE'] }, 'The company is in Norway or Sweden.'],
  [{ excludes_customers: true }, 'The company is not a customer yet.'],
  [{ minimum_minutes: 20 }, 'The meeting lasts at least 20 minutes.'],
])('%j is described as “%s”', (criteria, sentence) => {
  const text = JSON.stringify({ ...NO_CRITERIA, ...criteria });
  expect(criterionSentences(parseCriteria(text)).map((criterion) => criterion.sentence)).toEqual([sentence]);
});

test('Each country code is unique and has a name', () => {
  expect(new Set(COUNTRY_CODES).size).toBe(COUNTRY_CODES.length);
  for (const code of COUNTRY_CODES) expect(countryName(code)).not.toBe(code);
});
