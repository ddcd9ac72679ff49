import { expect, test } from 'vitest';
import { keepFounded } from './keep-founded.ts';

const REPORT: Parameters<typeof keepFounded>[0] = {
  client: 'Fjell AS',
  span: 'week',
  first_day: '2026-01-05',
  last_day: '2026-01-11',
  may_change: true,
  figures: {
    result: [
      { metric: 'delivered', value: 1250, before: 1100 },
      { metric: 'replies', value: 48, before: 31 },
      { metric: 'positive_replies', value: 17, before: null },
      { metric: 'meetings', value: 6, before: 4 },
    ],
    campaigns: [{ name: 'Winter', channel: 'email', figures: { delivered: 1250, replies: 48, meetings: 6 } }],
    meetings: { held: 5, no_show: 1, booked: 0, disputed: 0 },
    goals: [{ metric: 'meetings', goal: 20, value: 13 }],
    changes: [{ kind: 'phase', name: 'Winter', detail: 'running' }],
    next: [{ campaign: 'Winter', step: 'Send the third mail', due_on: '2026-01-15' }],
    wishes: [{ kind: 'text', name: 'Third mail', due_on: '2026-01-14' }],
  },
};

test.each([
  'This week 1,250 messages were delivered, after 1,100 the week before.',
  'Replies rose from 31 to 48 this week.',
  'We counted 17 positive replies and 6 meetings.',
  '13 of 20 meetings for the month are reached, 65% of the goal of meetings.',
  'Winter brought 48 replies and 6 meetings.',
  'The third mail of Winter follows by 15 January 2026.',
  '5 meetings were held, and nobody came to one meeting.',
  'A calm week: answers came in and the campaign runs.',
])('A sentence of what stands in the report stays: %s', (sentence) => {
  expect(keepFounded(REPORT, sentence)).toEqual({ kept: sentence, leftOut: 0 });
});

test.each([
  'We counted 49 replies this week.',
  'Replies rose by 55%.',
  'Replies rose by fifty-five percent.',
  'The reply rate was 3.8%.',
  'Replies more than doubled.',
  'Meetings tripled.',
  'We delivered 12,500 messages.',
  'We delivered 1.3k messages.',
  'Six thousand messages were delivered.',
  'We held 20 calls.',
  'There were 7 meetings this week.',
  'There were 17 meetings this week.',
  'There were 48 meetings this week.',
  'The pipeline is worth $40,000.',
  'That is a pipeline of 200 000 NOK.',
  'Nine people declined.',
  'The third mail follows by 16 January 2026.',
  'The third mail follows in two weeks.',
  'We guarantee ten meetings next week.',
  'You will get a full refund if it fails.',
  'The goal of 25 meetings is near.',
  'Meetings reached 70% of the goal.',
])('A sentence with what the report does not have goes: %s', (sentence) => {
  const text = `A calm week. ${sentence} The campaign runs.`;
  expect(keepFounded(REPORT, text)).toEqual({ kept: 'A calm week. The campaign runs.', leftOut: 1 });
});

test('Paragraphs stay, also where a sentence between them goes', () => {
  const { kept, leftOut } = keepFounded(
    REPORT,
    'A calm week. Replies rose by 55%.\n\nThey rose by 60%.\n\nWinter brought 48 replies.\n',
  );
  expect(kept).toBe('A calm week.\n\nWinter brought 48 replies.');
  expect(leftOut).toBe(2);
});
