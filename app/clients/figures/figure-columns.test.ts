import { describe, expect, test } from 'vitest';
import { readTable } from '../../ui/lib/read-csv.ts';
import { type ColumnMap, findMappingProblem, guessColumns, isFigureHeader } from './figure-columns.ts';
import { readFigures } from './figure-file.ts';

const CAMPAIGNS = [
  { id: 'a', name: 'Nordic SaaS' },
  { id: 'b', name: 'Winter' },
];

const table = (text: string) => readTable(new TextEncoder().encode(text).buffer, isFigureHeader);

function guess(text: string): ColumnMap {
  return guessColumns(table(text), { campaigns: CAMPAIGNS, firstWeekday: 1, timeZone: 'Europe/Oslo' });
}

/** Maps each metric to its column. */
function metricColumns(text: string): Record<string, string> {
  const { headers, metrics } = guess(text);
  return Object.fromEntries(metrics.flatMap((metric, column) => (metric ? [[metric, headers[column] ?? '']] : [])));
}

describe('Columns', () => {
  test.each([
    [
      'Smartlead',
      'Campaign Name,Date,Sent Count,Unique Sent Count,Open Count,Click Count,Reply Count,Bounce Count,Unsubscribed Count,Positive Reply Count',
      { sent: 'Sent Count', replies: 'Reply Count', bounced: 'Bounce Count', positive_replies: 'Positive Reply Count' },
    ],
    [
      'Instantly',
      'campaign_name,date,leads_count,contacted_count,emails_sent_count,open_count,reply_count_automatic,reply_count,bounced_count,total_interested,total_meeting_booked,total_opportunity_value',
      {
        sent: 'emails_sent_count',
        replies: 'reply_count',
        bounced: 'bounced_count',
        positive_replies: 'total_interested',
        meetings: 'total_meeting_booked',
        pipeline: 'total_opportunity_value',
      },
    ],
    [
      'lemlist',
      'campaignName,date,emailsSent,delivered,opened,clicked,replied,bounced,unsubscribed,interested,notInterested',
      {
        sent: 'emailsSent',
        delivered: 'delivered',
        replies: 'replied',
        bounced: 'bounced',
        positive_replies: 'interested',
      },
    ],
    [
      'QuickMail',
      'Date,Campaign,Emails Sent,Opens,Clicks,Replies,Positive Replies,Bounces,Unsubscribes',
      { sent: 'Emails Sent', replies: 'Replies', positive_replies: 'Positive Replies', bounced: 'Bounces' },
    ],
    [
      'Apollo',
      'Sequence Name,Date,Scheduled,Delivered,Bounced,Spam Blocked,Opened,Replied,Interested,Not Interested',
      { delivered: 'Delivered', bounced: 'Bounced', replies: 'Replied', positive_replies: 'Interested' },
    ],
    [
      'HubSpot',
      'Sequence name,Week,Sent,Delivered,Open rate,Reply rate,Replied,Bounced,Meetings booked,Meeting rate',
      { sent: 'Sent', delivered: 'Delivered', replies: 'Replied', bounced: 'Bounced', meetings: 'Meetings booked' },
    ],
    [
      'a Norwegian sheet',
      'Kampanje;Dato;Antall sendt;Levert;Svar;Positive svar;Møter;Svarprosent',
      {
        sent: 'Antall sendt',
        delivered: 'Levert',
        replies: 'Svar',
        positive_replies: 'Positive svar',
        meetings: 'Møter',
      },
    ],
    [
      'a Swedish sheet',
      'Kampanj;Vecka;Antal skickade;Levererade;Antal svar;Positiva svar;Bokade möten',
      {
        sent: 'Antal skickade',
        delivered: 'Levererade',
        replies: 'Antal svar',
        positive_replies: 'Positiva svar',
        meetings: 'Bokade möten',
      },
    ],
    [
      'a Danish sheet',
      'Kampagne;Dato;Sendte mails;Leveret;Svar;Bookede møder',
      { sent: 'Sendte mails', delivered: 'Leveret', replies: 'Svar', meetings: 'Bookede møder' },
    ],
    [
      'a German sheet',
      'Kampagne;Datum;Gesendete E-Mails;Zugestellt;Antworten;Gebuchte Termine',
      { sent: 'Gesendete E-Mails', delivered: 'Zugestellt', replies: 'Antworten', meetings: 'Gebuchte Termine' },
    ],
  ])('of %s are detected by name', (_tool, header, metrics) => {
    const map = guess(`${header}\n`);
    expect(map.headers[map.day ?? -1]).toMatch(/^(date|week|dato|vecka|datum)$/i);
    expect(map.campaign).toBe(header.split(/[,;]/).findIndex((name) => /campaign|sequence|kamp/i.test(name)));
    expect(metricColumns(`${header}\n`)).toEqual(metrics);
  });

  test('that contain a rate, a part or the opposite of a metric are ignored', () => {
    expect(
      metricColumns(
        'Date,Campaign,Sent,Not Interested,Interested,Negative Replies,Replies,Meetings Cancelled,Meetings Booked\n2026-11-16,Nordic SaaS,120,9,2,7,14,3,5',
      ),
    ).toEqual({ sent: 'Sent', positive_replies: 'Interested', replies: 'Replies', meetings: 'Meetings Booked' });
    expect(
      metricColumns(
        'Date,Campaign,Unsent,No Reply,Undelivered,Not bounced,contacted_count,reply_count_automatic,Reply rate,Replies %,% Delivered,Interested rate,Presentations,Consent',
      ),
    ).toEqual({});
  });

  test('with percentages or fractions are ignored regardless of their name', () => {
    expect(metricColumns('Date,Sent,Replied,Bounced\n2026-11-16,120,12%,0.5\n2026-11-17,90,9 %,0.25')).toEqual({
      sent: 'Sent',
    });
    expect(metricColumns('Date,Sent,Replied\n2026-11-16,120,12\n2026-11-17,90,many\nTotal,,9%')).toEqual({
      sent: 'Sent',
      replies: 'Replied',
    });
  });
});

test('Detects weekly figures by the column name, the date format or the weekday', () => {
  expect(guess('Week,Sent\n2026-11-17,1').period).toBe('week');
  expect(guess('Date,Sent\n2026-W45,1').period).toBe('week');
  expect(guess('Date,Sent\n2026-11-09,1\n2026-11-16,1').period).toBe('week');
  expect(guess('Date,Sent\n2026-11-09,1\n2026-11-10,1').period).toBe('day');
  expect(guess('Date,Sent\n2026-11-16,1').period).toBe('day');
});

describe('The order of day and month', () => {
  const detectOrder = (...days: string[]) => guess(`Date,Sent\n${days.map((day) => `${day},1`).join('\n')}`).order;

  test('is detected from unambiguous dates', () => {
    expect(detectOrder('11/02/2026', '11/16/2026')).toBe('mdy');
    expect(detectOrder('02/11/2026', '16/11/2026')).toBe('dmy');
    expect(detectOrder('2026-11-02', '16.11.2026', '2 Nov 2026')).toBe('ymd');
  });

  test('must be chosen if all dates are ambiguous', () => {
    expect(detectOrder('01/02/2026', '11/02/2026')).toBeNull();
    expect(findMappingProblem(guess('Date,Campaign,Sent\n01/02/2026,Winter,1'), [])).toContain('in two ways');
  });

  test('is not determined by a single outlier', () => {
    expect(detectOrder('11/02/2026', '11/16/2026', 'Total', '')).toBe('mdy');
    expect(detectOrder('11/02/2026', '11/03/2026', 'Total')).toBeNull();
    expect(detectOrder(...Array.from({ length: 12 }, (_, day) => `11/${13 + day}/2026`), '16/11/2026')).toBe('mdy');
    expect(detectOrder('11/16/2026', '16/11/2026')).toBeNull();
  });
});

test('Reports each missing choice', () => {
  const map = guess('a,b\n1,2');
  expect(findMappingProblem(map, [])).toContain('Choose the column with the date');
  expect(findMappingProblem({ ...map, day: 0 }, [])).toContain('Choose the column with the campaign');
  expect(findMappingProblem({ ...map, day: 0, campaign: 'a' }, [])).toContain('Choose a metric');
  expect(findMappingProblem({ ...map, day: 0, campaign: 'a', metrics: ['sent', 'sent'] }, [])).toContain(
    'Two columns have the metric “Sent”',
  );
  const names = Array.from({ length: 51 }, (_, index) => `${index}`);
  expect(findMappingProblem({ ...map, day: 0, campaign: 1, metrics: ['sent'] }, names)).toContain(
    'more than 50 unknown campaigns',
  );
});

test.each([
  [
    'Date,Campaign,Sent,Replies\n2026-11-16,Nordic SaaS,120,4\n2026-11-17,Nordic SaaS,80,1\nTotal,,200,5',
    [16, 17],
    'Total',
  ],
  [
    'Date,Campaign,Sent\n11/02/2026,Nordic SaaS,120\n11/03/2026,Nordic SaaS,130\n11/16/2026,Nordic SaaS,140\nTotal,,390',
    [2, 3, 16],
    'Total',
  ],
])('Rejects only the total line: %j', (text, days, reason) => {
  const { lines } = table(text);
  const { rows, rejected } = readFigures(lines, guess(text), { campaigns: CAMPAIGNS, timeZone: 'Europe/Oslo' });
  expect(rows.map(({ day }) => day)).toEqual(days.map((day) => `2026-11-${`${day}`.padStart(2, '0')}`));
  expect(rejected).toEqual([{ line: lines.length + 1, reason: expect.stringContaining(reason) }]);
});
