import { describe, expect, test } from 'vitest';
import { type ColumnMap, findMappingProblem } from './figure-columns.ts';
import { findSizeProblem, readFigureFile, readFigures } from './figure-file.ts';

const CAMPAIGNS = [
  { id: 'a', name: 'Founders in  Oslo' },
  { id: 'b', name: '=HYPERLINK("x")' },
  { id: 'c', name: 'Twice' },
  { id: 'd', name: 'twice' },
];

const CONTEXT = { campaigns: CAMPAIGNS, timeZone: 'Europe/Oslo' };

const MAP: ColumnMap = {
  headers: ['Campaign', 'Date', 'Sent', 'Replies'],
  period: 'day',
  day: 1,
  order: 'ymd',
  campaign: 0,
  metrics: [null, null, 'sent', 'replies'],
  names: {},
};

function parse(text: string | Uint8Array<ArrayBuffer>): ReturnType<typeof readFigureFile> {
  return readFigureFile(new File([text], 'a.csv'));
}

describe('A selected file', () => {
  test('is read with or without a byte order mark and identified by its hash', async () => {
    const { headers, lines, hash } = await parse('\uFEFFDato,Møter\n2026-11-16,3\n');
    expect(headers).toEqual(['Dato', 'Møter']);
    expect(lines).toEqual([{ number: 2, cells: ['2026-11-16', '3'] }]);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect((await parse('Dato,Møter\n2026-11-16,3\n')).hash).not.toBe(hash);
  });

  test.each([
    ['in a spreadsheet format', new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0x00, 0x00]), 'not a CSV file'],
    ['without lines', new Uint8Array([0x61]), 'no lines below its header'],
    ['of 6 MB', new Uint8Array(6 * 1024 * 1024), 'larger than 5 MB'],
  ])('%s is rejected with a message', async (_title, bytes, message) => {
    await expect(parse(bytes)).rejects.toThrow(message);
  });

  test('with 20,001 lines is rejected', async () => {
    await expect(parse(`a\n${'1\n'.repeat(20_001)}`)).rejects.toThrow('more than 20,000 lines');
  });
});

test('Reads figures line by line and rejects invalid lines with a reason', async () => {
  const { lines } = await parse(
    [
      'Campaign,Date,Sent,Replies',
      'founders in oslo,2026-11-16,1 234,',
      '"=HYPERLINK(""x"")",2026-11-16,0,12.5',
      'Twice,2026-11-16,1,1',
      'Founders in Oslo,16.11.2026,"1,234",-',
      'Founders in Oslo,11/16/2026,1,1',
      'Founders in Oslo,2026-11-17,1.234,=1+1',
      'Founders in Oslo,2026-11-17,1,1,1',
      'Founders in Oslo,2026-11-18,,',
      'Founders in Oslo,2026-W47,1,1',
      ',2026-11-18,1,1',
    ].join('\n'),
  );
  expect(readFigures(lines, MAP, CONTEXT)).toEqual({
    rows: [
      { line: 2, campaign: 'a', day: '2026-11-16', values: { sent: 1234 } },
      { line: 3, campaign: 'b', day: '2026-11-16', values: { sent: 0 } },
      { line: 5, campaign: 'a', day: '2026-11-16', values: { sent: 1234 } },
      { line: 7, campaign: 'a', day: '2026-11-17', values: { sent: 1234 } },
    ],
    rejected: [
      { line: 3, reason: 'Replies is not a whole number: 12.5. Use 1234, 1 234, 1,234 or 1.234.' },
      { line: 4, reason: 'Several campaigns have this name: Twice' },
      {
        line: 6,
        reason: 'Not a valid date: 11/16/2026. Use 2026-11-16, 16.11.2026, 11/16/2026, 16 Nov 2026 or 2026-W47.',
      },
      { line: 7, reason: 'Replies is not a whole number: =1+1. Use 1234, 1 234, 1,234 or 1.234.' },
      { line: 8, reason: 'This line has more cells than the header.' },
      { line: 10, reason: '2026-W47 is a week. Under “Each line covers”, choose “A week”.' },
      { line: 11, reason: 'This line has no campaign.' },
    ],
    unknown: [],
  });
  expect(readFigures(lines.slice(2, 3), { ...MAP, campaign: 'c' }, CONTEXT)).toEqual({
    rows: [{ line: 4, campaign: 'c', day: '2026-11-16', values: { sent: 1, replies: 1 } }],
    rejected: [],
    unknown: [],
  });
});

test('Rejects only totals and notes, and quotes them in the reason', async () => {
  const { lines } = await parse(
    'Campaign,Date,Sent,Replies\nFounders in Oslo,2026-11-16,120,4\nTotal,2026-11-16,120,4\n,Sum:,120,4\n,I alt,5,\nExported by lemlist,,,\n',
  );
  const { rows, rejected } = readFigures(lines, MAP, CONTEXT);
  expect(rows).toEqual([{ line: 2, campaign: 'a', day: '2026-11-16', values: { sent: 120, replies: 4 } }]);
  expect(rejected).toEqual([
    { line: 3, reason: 'This is a total, not the figures of a day: Total' },
    { line: 4, reason: 'This is a total, not the figures of a day: Sum:' },
    { line: 5, reason: 'This is a total, not the figures of a day: I alt' },
    { line: 6, reason: 'This is a note, not a row of figures: Exported by lemlist' },
  ]);
});

test('Fractions determine the decimal separator of a column', async () => {
  const { lines } = await parse('Campaign,Date,Sent,Replies\nTwice,2026-11-16,1.234,1\nTwice,2026-11-17,12.5,1\n');
  const { rows, rejected } = readFigures(lines, { ...MAP, campaign: 'c' }, CONTEXT);
  expect(rows.map(({ values }) => values)).toEqual([{ replies: 1 }, { replies: 1 }]);
  expect(rejected.map(({ line }) => line)).toEqual([2, 3]);
});

test('Asks once about each unknown campaign and applies the answer to all its lines', async () => {
  const { lines } = await parse(
    'Campaign,Date,Sent,Replies\nWinter,2026-11-16,1,\nwinter ,2026-11-17,2,\nTest,2026-11-17,3,\nTwice,2026-11-17,4,',
  );
  const { unknown, rows, rejected } = readFigures(lines, MAP, CONTEXT);
  expect(unknown).toEqual([
    { key: 'winter', name: 'Winter', count: 2 },
    { key: 'test', name: 'Test', count: 1 },
  ]);
  expect(rows).toEqual([]);
  expect(rejected.map(({ line }) => line)).toEqual([5]);
  const keys = unknown.map(({ key }) => key);
  expect(findMappingProblem(MAP, keys)).toBe('Choose what to do with 2 new campaigns first.');

  const creates = { name: 'Winter', channel: 'email' };
  const answeredMap = { ...MAP, names: { winter: { id: 'new', creates }, test: null } };
  expect(findMappingProblem(answeredMap, keys)).toBeNull();
  const result = readFigures(lines, answeredMap, CONTEXT);
  expect(result.rows.map(({ campaign, values }) => [campaign, values.sent])).toEqual([
    ['new', 1],
    ['new', 2],
  ]);
  expect(result.rejected[0]).toEqual({ line: 4, reason: 'Skipped: Test' });
});

test('Rejects an import with too many figures', () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, line) => ({
      line,
      campaign: 'a',
      day: '2026-11-16',
      values: { sent: 1, replies: 1 },
    }));
  expect(findSizeProblem(rows(15_000))).toBeNull();
  expect(findSizeProblem(rows(15_001))).toContain('more than 30,000 figures');
});
