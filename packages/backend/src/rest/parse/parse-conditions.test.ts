import { expect, test } from 'vitest';
import { parseFilter, parseLogic } from './parse-conditions.ts';
import type { Filter, Operation } from './query-types.ts';

const filter = (name: string, operation: Operation, isNegated = false): Filter => ({
  kind: 'filter',
  field: { name, path: [] },
  isNegated,
  operation,
});
const eq = (value: string): Operation => ({ kind: 'compare', operator: 'eq', quantifier: null, value });

test('A filter consists of a path, a column, an optional negation, an operator and a value', () => {
  expect(parseFilter('id', 'eq.1.5')).toEqual({ path: [], value: filter('id', eq('1.5')) });
  expect(parseFilter('author.city.name', 'not.eq.')).toEqual({
    path: ['author', 'city'],
    value: filter('name', eq(''), true),
  });
  expect(parseFilter('"a.b"', 'eq.x').value.field.name).toBe('a.b');
  expect(parseFilter('data->a->>b', 'is.NULL').value).toMatchObject({
    field: { path: [{ operand: { key: 'a' } }, { arrow: '->>', operand: { key: 'b' } }] },
    operation: { kind: 'is', value: 'null' },
  });
  expect(parseFilter('a', 'like(any).{x,y}').value.operation).toEqual({
    kind: 'compare',
    operator: 'like',
    quantifier: 'any',
    value: '{x,y}',
  });
  expect(parseFilter('a', 'fts(english).x').value.operation).toEqual({
    kind: 'search',
    operator: 'fts',
    language: 'english',
    value: 'x',
  });
});

test('A list is split at commas outside quotes', () => {
  const values = (text: string) => parseFilter('a', text).value.operation;
  expect(values('in.(1,"a,b","c\\"d",e"f)')).toEqual({ kind: 'in', values: ['1', 'a,b', 'c"d', 'e"f'] });
  expect(values('in.()')).toEqual({ kind: 'in', values: [] });
  expect(values('in.("")')).toEqual({ kind: 'in', values: [''] });
});

test('A logic tree can be nested and negated, and contain quoted values, lists and array literals', () => {
  expect(parseLogic('or', '(a.eq.1,not.and(b.eq.2,c.not.is.true),d.eq."x,y)",e.in.(1,2),f.cs.{1,2})')).toEqual({
    path: [],
    value: {
      kind: 'group',
      operator: 'or',
      isNegated: false,
      operands: [
        filter('a', eq('1')),
        {
          kind: 'group',
          operator: 'and',
          isNegated: true,
          operands: [filter('b', eq('2')), filter('c', { kind: 'is', value: 'true' }, true)],
        },
        filter('d', eq('x,y)')),
        filter('e', { kind: 'in', values: ['1', '2'] }),
        filter('f', { kind: 'compare', operator: 'cs', quantifier: null, value: '{1,2}' }),
      ],
    },
  });
  expect(parseLogic('author.not.or', '(a.eq.1)')).toMatchObject({
    path: ['author'],
    value: { isNegated: true, operator: 'or' },
  });
});

test('A column can have the name of an operator', () => {
  expect(parseLogic('and', '(or.eq.1,android.eq.2)').value).toMatchObject({
    operands: [{ field: { name: 'or' } }, { field: { name: 'android' } }],
  });
});
