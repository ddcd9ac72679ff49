import { expect, test } from 'vitest';
import { parseSelect } from './parse-select.ts';
import type { SelectField } from './query-types.ts';

const field = (name: string, more: Partial<SelectField> = {}): SelectField => ({
  kind: 'field',
  field: { name, path: [] },
  alias: null,
  cast: null,
  aggregate: null,
  ...more,
});

test('Columns can be quoted, and can have an alias, a JSON path and a cast', () => {
  expect(parseSelect('*')).toEqual([field('*')]);
  expect(parseSelect('id, full name ,with-dash,"a,b\\"c"')).toEqual([
    field('id'),
    field('full name'),
    field('with-dash'),
    field('a,b"c'),
  ]);
  expect(parseSelect('a:data->b->>0::int')).toEqual([
    {
      kind: 'field',
      alias: 'a',
      cast: 'int',
      aggregate: null,
      field: {
        name: 'data',
        path: [
          { arrow: '->', operand: { key: 'b' } },
          { arrow: '->>', operand: { index: 0 } },
        ],
      },
    },
  ]);
  expect(parseSelect('data->-1,data->1st')).toMatchObject([
    { field: { path: [{ operand: { index: -1 } }] } },
    { field: { path: [{ operand: { key: '1st' } }] } },
  ]);
});

test('An aggregate can have a cast of its input and of its output', () => {
  expect(parseSelect('count(),id.count(),n:data->>n::int.sum()::text,count')).toEqual([
    field('*', { aggregate: { function: 'count', cast: null } }),
    field('id', { aggregate: { function: 'count', cast: null } }),
    {
      kind: 'field',
      alias: 'n',
      cast: 'int',
      aggregate: { function: 'sum', cast: 'text' },
      field: { name: 'data', path: [{ arrow: '->>', operand: { key: 'n' } }] },
    },
    field('count'),
  ]);
});

test('An embedded resource can have an alias, hint and join type, and can be spread', () => {
  expect(parseSelect('by:people!author_id!inner(name,city(*)),...tags!left(label),empty()')).toEqual([
    {
      kind: 'embed',
      relation: 'people',
      alias: 'by',
      hint: 'author_id',
      join: 'inner',
      isSpread: false,
      select: [
        field('name'),
        { kind: 'embed', relation: 'city', alias: null, hint: null, join: null, isSpread: false, select: [field('*')] },
      ],
    },
    {
      kind: 'embed',
      relation: 'tags',
      alias: null,
      hint: null,
      join: 'left',
      isSpread: true,
      select: [field('label')],
    },
    { kind: 'embed', relation: 'empty', alias: null, hint: null, join: null, isSpread: false, select: [] },
  ]);
});

test('A malformed select is rejected with the position of the error', () => {
  const failure = (text: string) => {
    try {
      return parseSelect(text);
    } catch (error) {
      return error;
    }
  };
  expect(failure('id,na[me')).toMatchObject({
    status: 400,
    code: 'PGRST100',
    message: '"failed to parse select parameter (id,na[me)" (line 1, column 6)',
    details: 'unexpected "[" expecting "->>", "->", "::", ")", "," or end of input',
  });
  expect(failure('id,')).toMatchObject({ details: 'unexpected end of input expecting field name (* or [a..z0..9_$])' });
  expect(failure('people(id')).toMatchObject({ details: 'unexpected end of input expecting ")"' });
  expect(failure('id.median()')).toMatchObject({ code: 'PGRST100' });
});
