import { getSchema } from '@tiptap/core';
import { describe, expect, it } from 'vitest';
import { editorExtensions } from '../extensions.ts';
import { writeBlock } from './write-markdown.ts';

const schema = getSchema(editorExtensions());

/** Writes a paragraph. Each text is given with the names of its marks. */
function paragraph(...parts: [text: string, ...marks: string[]][]): string {
  const nodes = parts.map(([text, ...marks]) =>
    schema.text(
      text,
      marks.map((name) => schema.mark(name, name === 'link' ? { href: 'https://example.com/a b' } : {})),
    ),
  );
  return writeBlock(schema.node('paragraph', null, nodes));
}

describe('writeBlock() with marks', () => {
  it.each([
    [[['Note: ', 'bold'], ['text']], '**Note:** text'],
    [[['a'], [' b ', 'italic'], ['c']], 'a *b* c'],
    [[['a'], ['  ', 'bold'], ['b']], 'a  b'],
    [
      [
        ['bold ', 'bold'],
        ['both', 'bold', 'italic'],
        [' end', 'bold'],
      ],
      '**bold *both* end**',
    ],
    [
      [
        ['one ', 'bold'],
        ['two', 'bold', 'italic'],
        [' three', 'italic'],
      ],
      '**one _two_** *three*',
    ],
    [[['see '], ['this', 'link']], 'see [this](https://example.com/a%20b)'],
    [[['bold '], ['link', 'link', 'bold'], [' end']], 'bold **[link](https://example.com/a%20b)** end'],
    [[['code', 'link', 'code']], '[`code`](https://example.com/a%20b)'],
    [[['gone', 'strike']], '~~gone~~'],
    [[['1. not a list']], '1\\. not a list'],
    [[['snake_case_name and {{first_name}}']], 'snake_case_name and {{first_name}}'],
  ] as [[string, ...string[]][], string][])('writes %j', (parts, markdown) => {
    expect(paragraph(...parts)).toBe(markdown);
  });
});

it('a link that shows its URL is written without brackets if the page links it automatically', () => {
  const url = 'https://example.com/a_b';
  const link = schema.text(url, [schema.mark('link', { href: url })]);
  const write = (before: string, after: string) =>
    writeBlock(
      schema.node('paragraph', null, [
        ...(before ? [schema.text(before)] : []),
        link,
        ...(after ? [schema.text(after)] : []),
      ]),
    );
  expect(write('', '')).toBe(url);
  expect(write('See ', ' here')).toBe(`See ${url} here`);
  expect(write('(', ')')).toBe(`(<${url}>)`);
});

it('a table has a header row, and its cells stay in one line', () => {
  const cell = (type: string, text: string, align: string | null = null) =>
    schema.node(type, { align }, schema.node('paragraph', null, text ? schema.text(text) : []));
  const row = (...cells: ReturnType<typeof cell>[]) => schema.node('tableRow', null, cells);
  const table = (...rows: ReturnType<typeof row>[]) => writeBlock(schema.node('table', null, rows));
  expect(table(row(cell('tableHeader', 'a', 'right')), row(cell('tableCell', 'x | y', 'right')))).toBe(
    '| a |\n| -: |\n| x \\| y |',
  );
  expect(table(row(cell('tableCell', 'a'), cell('tableCell', '')))).toBe('| | |\n| - | - |\n| a | |');
});
