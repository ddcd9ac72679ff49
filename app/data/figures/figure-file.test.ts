import { describe, expect, test } from 'vitest';
import {
  type ColumnMap,
  guessColumns,
  problemOf,
  problemOfRows,
  readDay,
  readFigureFile,
  readFigures,
} from './figure-file.ts';

const CAMPAIGNS = [
  { id: 'a', name: 'Founders in  Oslo' },
  { id: 'b', name: '=HYPERLINK("x")' },
  { id: 'c', name: 'Twice' },
  { id: 'd', name: 'twice' },
];

function chosen(
  text: string | Uint8Array<ArrayBuffer>,
  name = 'a.csv',
): Promise<Awaited<ReturnType<typeof readFigureFile>>> {
  return readFigureFile(new File([text], name));
}

async function guessed(text: string): Promise<ColumnMap> {
  return guessColumns(await chosen(text), { campaigns: CAMPAIGNS, firstWeekday: 1 });
}

describe('A chosen file', () => {
  test('in UTF-8 is read with its mark and without, and named by its hash', async () => {
    const { headers, lines, hash } = await chosen('\uFEFFDato,Møter\n2026-11-16,3\n');
    expect(headers).toEqual(['Dato', 'Møter']);
    expect(lines).toEqual([{ number: 2, cells: ['2026-11-16', '3'] }]);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect((await chosen('Dato,Møter\n2026-11-16,3\n')).hash).not.toBe(hash);
  });

  test.each([
    ['in Latin-1', new Uint8Array([0x4d, 0xf8, 0x74, 0x0a, 0x31]), 'not in UTF-8'],
    ['in UTF-16', new Uint8Array([0xff, 0xfe, 0x61, 0x00]), 'not in UTF-8'],
    ['of a spreadsheet', new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0x00, 0x00]), 'no CSV file'],
    ['without lines', new Uint8Array([0x61]), 'no line below its header'],
    ['of 6 MB', new Uint8Array(6 * 1024 * 1024), 'larger than 5 MB'],
  ])('%s is refused with a sentence', async (_what, bytes, sentence) => {
    await expect(chosen(bytes)).rejects.toThrow(sentence);
  });

  test('of 20,001 lines is refused', async () => {
    await expect(chosen(`a\n${'1\n'.repeat(20_001)}`)).rejects.toThrow('more than 20,000 lines');
  });
});

describe('The guess', () => {
  test('takes columns by their names, and no rate for a count', async () => {
    const map = await guessed(
      'Campaign name,Date,Emails sent,Open rate,Reply rate %,Replies,Interested,Bounced,Meetings booked\nTwice,2026-11-17,1,2,3,4,5,6,7',
    );
    expect(map).toMatchObject({ campaign: 0, day: 1, order: 'ymd', period: 'day' });
    expect(map.metrics).toEqual([null, null, 'sent', null, null, 'replies', 'positive_replies', 'bounced', 'meetings']);
    expect(problemOf(map)).toBeNull();
  });

  test('knows weeks by their name, or because all days begin one', async () => {
    expect((await guessed('Week,Sent\n2026-11-17,1')).period).toBe('week');
    expect((await guessed('Date,Sent\n2026-11-09,1\n2026-11-16,1')).period).toBe('week');
    expect((await guessed('Date,Sent\n2026-11-09,1\n2026-11-10,1')).period).toBe('day');
    expect((await guessed('Date,Sent\n2026-11-16,1')).period).toBe('day');
  });

  test('reads the order of a day where only one fits', async () => {
    expect((await guessed('Date,Sent\n11/16/2026,1')).order).toBe('mdy');
    expect((await guessed('Date,Sent\n16/11/2026,1')).order).toBe('dmy');
    expect((await guessed('Date,Sent\n01/02/2026,1')).order).toBe('dmy');
  });

  test('names what is missing', async () => {
    const map = await guessed('a,b\n1,2');
    expect(problemOf(map)).toBe('Choose the column with the day.');
    expect(problemOf({ ...map, day: 0 })).toContain('the campaign');
    expect(problemOf({ ...map, day: 0, campaign: 'a' })).toContain('at least one column');
    expect(problemOf({ ...map, day: 0, campaign: 'a', metrics: ['sent', 'sent'] })).toContain('Two columns are Sent');
  });
});

test('A day is one of the calendar, in the order that was chosen', () => {
  expect(readDay('2024-02-29', 'ymd')).toBe('2024-02-29');
  expect(readDay('2026-02-29', 'ymd')).toBeNull();
  expect(readDay('6.1.2026', 'dmy')).toBe('2026-01-06');
  expect(readDay('6/1/2026', 'mdy')).toBe('2026-06-01');
  expect(readDay('2026-11-16T00:00:00Z', 'ymd')).toBe('2026-11-16');
  expect(readDay('26-11-16', 'ymd')).toBeNull();
  expect(readDay('=NOW()', 'dmy')).toBeNull();
});

test('Figures are read by line; what cannot be one is refused by line', async () => {
  const { lines } = await chosen(
    [
      'Campaign,Date,Sent,Replies',
      'founders in oslo,2026-11-16,1 234,',
      '"=HYPERLINK(""x"")",2026-11-16,0,12.5',
      'Nobody,2026-11-16,1,1',
      'Twice,2026-11-16,1,1',
      'Founders in Oslo,16.11.2026,1,1',
      'Founders in Oslo,2026-11-17,"1,234",=1+1',
      'Founders in Oslo,2026-11-17,1,1,1',
      'Founders in Oslo,2026-11-18,,',
    ].join('\n'),
  );
  const headers = ['Campaign', 'Date', 'Sent', 'Replies'];
  const map: ColumnMap = {
    headers,
    period: 'day',
    day: 1,
    order: 'ymd',
    campaign: 0,
    metrics: [null, null, 'sent', 'replies'],
  };
  expect(readFigures(lines, map, CAMPAIGNS)).toEqual({
    rows: [
      { line: 2, campaign: 'a', day: '2026-11-16', values: { sent: 1234 } },
      { line: 3, campaign: 'b', day: '2026-11-16', values: { sent: 0 } },
    ],
    refused: [
      { line: 3, reason: 'Replies is no whole number: 12.5' },
      { line: 4, reason: 'No campaign has this name: Nobody' },
      { line: 5, reason: 'Several campaigns have this name: Twice' },
      { line: 6, reason: 'This is no day: 16.11.2026' },
      { line: 7, reason: 'Sent is no whole number: 1,234' },
      { line: 7, reason: 'Replies is no whole number: =1+1' },
      { line: 8, reason: 'This line has more cells than the header.' },
    ],
  });
  const all = readFigures(lines.slice(2, 3), { ...map, campaign: 'c' }, CAMPAIGNS);
  expect(all).toEqual({
    rows: [{ line: 4, campaign: 'c', day: '2026-11-16', values: { sent: 1, replies: 1 } }],
    refused: [],
  });
});

test('More figures than one import takes are refused', () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, line) => ({
      line,
      campaign: 'a',
      day: '2026-11-16',
      values: { sent: 1, replies: 1 },
    }));
  expect(problemOfRows(rows(15_000))).toBeNull();
  expect(problemOfRows(rows(15_001))).toContain('more than 30,000 figures');
});
