import { expect, test } from 'vitest';
import { keepFounded } from './keep-founded.ts';
import { misplacedFigureFinder } from './misplaced-figure.ts';

const REPORT: Parameters<typeof keepFounded>[0] = {
  client: 'Fjell AS',
  span: 'week',
  first_day: '2026-01-05',
  last_day: '2026-01-11',
  may_change: true,
  figures: {
    result: [
      { metric: 'delivered', value: 1250, before: 1100 },
      { metric: 'bounced', value: 12, before: 26 },
      { metric: 'replies', value: 48, before: 31 },
      { metric: 'positive_replies', value: 17, before: null },
      { metric: 'meetings', value: 6, before: 4 },
    ],
    campaigns: [
      { name: 'Winter', channel: 'email', figures: { delivered: 900, replies: 30, positive_replies: 11, meetings: 2 } },
      { name: 'Founders of bakeries', channel: 'linkedin', figures: { delivered: 350, replies: 18, meetings: 4 } },
    ],
    meetings: { held: 5, no_show: 1, booked: 0, disputed: 0 },
    goals: [{ metric: 'meetings', goal: 20, value: 13 }],
    changes: [{ kind: 'phase', name: 'Winter', detail: 'running' }],
    next: [
      { campaign: 'Winter', step: 'Send the third mail', due_on: '2026-01-15' },
      { campaign: 'Founders of bakeries', step: 'Add 40 companies from Bergen', due_on: null },
    ],
    wishes: [],
  },
};

test.each([
  'Winter brought 30 replies and 2 meetings.',
  'Founders of bakeries brought 18 replies and 4 meetings.',
  'The bakeries brought 18 of the 48 replies.',
  '30 replies came from Winter and 18 replies from Founders of bakeries.',
  'Winter and Founders of bakeries brought 30 and 18 replies.',
  'Winter and Founders of bakeries together brought 48 replies.',
  'Replies rose from 31 to 48 this week.',
  'Bounced messages fell from 26 to 12.',
  'We counted 48 replies, after 31 the week before.',
  '1,250 messages were delivered, 12 bounced, and 48 replies came in.',
  'Meetings rose to 6, up from 4.',
  '13 of 20 meetings for the month are reached, 65% of the goal of meetings.',
  '5 meetings were held, and one meeting was a no-show.',
  'Of the 48 replies, 17 were positive replies.',
  'Winter delivered 900 messages, while in all 1,250 messages were delivered.',
  'Winter ran well. It brought 30 replies.',
  'Next, we add 40 companies from Bergen to Founders of bakeries.',
  '30 replies and 2 meetings came from Winter.',
  'In all, 48 replies came in, and Winter brought 30 of them.',
  'The third mail of Winter follows by 15 January 2026.',
])('A sentence stays whose figures are whose it says: %s', (sentence) => {
  expect(keepFounded(REPORT, sentence)).toEqual({ kept: sentence, leftOut: 0 });
});

test.each([
  'Winter brought 48 replies.',
  'Winter brought 18 replies.',
  'Founders of bakeries brought 30 replies.',
  'The bakeries brought 6 meetings.',
  'Winter brought 30 replies and 4 meetings.',
  '18 replies came from Winter and 30 from Founders of bakeries.',
  'Winter and Founders of bakeries brought 18 and 30 replies.',
  'Winter and Founders of bakeries together brought 31 replies.',
  'Replies rose from 48 to 31 this week.',
  'Bounced messages rose to 12.',
  'We counted 31 replies this week.',
  '1,250 messages bounced.',
  'We counted 17 replies and 48 positive replies.',
  'Meetings rose to 48.',
  '6 meetings were held.',
  'Winter held 5 meetings.',
  'Of the 17 positive replies, 11 came from Founders of bakeries.',
  'Winter delivered 1,250 messages.',
  'Winter had 900 replies.',
  'Winter brought no replies.',
])('A sentence goes whose figure is another campaign, metric or time: %s', (sentence) => {
  expect(misplacedFigureFinder(REPORT)(sentence)).toBe(true);
  const text = `A calm week. ${sentence} The campaigns run.`;
  expect(keepFounded(REPORT, text)).toEqual({ kept: 'A calm week. The campaigns run.', leftOut: 1 });
});

test('What "it" brought is held against the campaign of the sentence before', () => {
  const isMisplaced = misplacedFigureFinder(REPORT);
  expect(isMisplaced('Winter ran well.')).toBe(false);
  expect(isMisplaced('It brought 48 replies.')).toBe(true);
  expect(isMisplaced('It brought 30 replies.')).toBe(false);
});
