import { expect, test } from 'vitest';
import { hasOnlyNumbersOf } from './report-summary.ts';

const DATA = JSON.stringify(
  {
    first_day: '2026-01-05',
    result: [{ metric: 'delivered', value: 1250, before: 1100 }],
    goals: [{ metric: 'meetings', goal: 20, value: 13, percent: 65 }],
    next: [{ campaign: 'Winter', step: 'Send the third mail', due_on: '2026-01-15' }],
  },
  null,
  1,
);

test.each([
  'This week 1,250 messages were delivered, after 1,100 the week before.',
  'Thirteen of 20 meetings are reached, 65% of the goal.',
  'The third mail follows on Thursday, 15 January 2026.',
  'The third mail follows by January 15.',
  'A calm week: answers came in and the campaign runs.',
])('A draft with numbers of the report passes: %s', (draft) => {
  expect(hasOnlyNumbersOf(DATA, draft)).toBe(true);
});

test.each([
  'We delivered 12,500 messages.',
  'We delivered 1.3k messages.',
  'Six thousand messages were delivered.',
  'Replies rose by fifty-five percent.',
  'Meetings reached 70% of the goal.',
  'The pipeline is worth $40,000.',
  'The third mail follows by 16 January 2026.',
  'The third mail follows in two weeks.',
])('A draft with a number that is not in the report fails: %s', (draft) => {
  expect(hasOnlyNumbersOf(DATA, draft)).toBe(false);
});
