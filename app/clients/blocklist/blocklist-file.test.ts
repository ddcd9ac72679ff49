import { describe, expect, test } from 'vitest';
import { parseBlocklistFile, parseEntries } from './blocklist-file.ts';

function parse(...parts: BlobPart[]): Promise<{ line: number; text: string }[]> {
  return parseBlocklistFile(new File(parts, 'a.csv'));
}

test('Reads several entries per line, addresses in angle brackets and page URLs', () => {
  expect(
    parseEntries(
      'Acme.no\n\nOla Nordmann <Ola@Example.com>; Kari <kari@example.com>\r\na@b.no, c.no\nhttps://www.bre.no/om?x',
    ),
  ).toEqual([
    { line: 1, text: 'acme.no' },
    { line: 3, text: 'ola@example.com' },
    { line: 3, text: 'kari@example.com' },
    { line: 4, text: 'a@b.no' },
    { line: 4, text: 'c.no' },
    { line: 5, text: 'bre.no' },
  ]);
  expect(parseEntries('post@blåbær.no\nblåbær.no').map(({ text }) => text)).toEqual([
    'post@xn--blbr-roah.no',
    'xn--blbr-roah.no',
  ]);
  expect(parseEntries(`${'a'.repeat(5000)}@b.no`)[0]?.text.length).toBeLessThan(400);
  expect(() => parseEntries('a.no\n'.repeat(5001))).toThrow('at most 5,000 entries');
});

describe('A CSV file', () => {
  test('is read from the column with the most addresses or domains, without evaluating formulas', async () => {
    expect(
      await parse('Name,Company,Email\nOla,acme.no,ola@acme.no\n"=HYPERLINK(""x.no"")",,=1+1\nKari,,kari@b.no\n'),
    ).toEqual([
      { line: 2, text: 'ola@acme.no' },
      { line: 3, text: '=1+1' },
      { line: 4, text: 'kari@b.no' },
    ]);
  });

  test('may declare its separator or be encoded in Windows-1252', async () => {
    expect(await parse('sep=;\r\nDomain;Why\r\nacme.no;a, b\r\n')).toEqual([{ line: 3, text: 'acme.no' }]);
    expect(await parse('bl', new Uint8Array([0xe5]), 'b.no\nbre.no')).toEqual([
      { line: 1, text: 'xn--blb-vla.no' },
      { line: 2, text: 'bre.no' },
    ]);
  });

  test('does not need a header', async () => {
    expect(await parse('acme.no\nbre.no')).toEqual([
      { line: 1, text: 'acme.no' },
      { line: 2, text: 'bre.no' },
    ]);
  });

  test.each([
    ['in a spreadsheet format', new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0x00, 0x00]), 'not a CSV file'],
    ['of 6 MB', new Uint8Array(6 * 1024 * 1024), 'larger than 5 MB'],
    ['without addresses', 'Name,City\nOla,Oslo', 'This file has no column'],
    ['of 5,001 lines', 'a.no\n'.repeat(5001), 'at most 5,000 entries'],
  ])('%s is rejected with a message', async (_title, content, message) => {
    await expect(parse(content)).rejects.toThrow(message);
  });
});
