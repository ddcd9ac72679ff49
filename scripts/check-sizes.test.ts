import { expect, test } from 'vitest';
import { measureFile } from './check-sizes.ts';

const lines = (count: number) => 'work();\n'.repeat(count);

test.for([
  ['a function', (body: string) => `function long() {\n${body}}`],
  ['an arrow function', (body: string) => `const long = () => {\n${body}};`],
  ['a method', (body: string) => `class Long {\n  run() {\n${body}  }\n}`],
])('%s is reported if it has 80 lines, but not if it has 79', ([, write]) => {
  const wrap = typeof write === 'function' ? write : String;
  expect(measureFile('app/a.ts', wrap(lines(78))).tooLong).toEqual([
    expect.stringMatching(/^app\/a\.ts:[12]: 80 lines in one function/),
  ]);
  expect(measureFile('app/a.ts', wrap(lines(77))).tooLong).toEqual([]);
});

test('Casts are reported with their lines, but `as const` and `satisfies` are not', () => {
  const source = [
    'const one = given as Row;',
    'const list = [1, 2] as const;',
    'const two = given as unknown as Row[];',
    'const three = given satisfies Row;',
    "const words = 'as it is';",
  ].join('\n');
  expect(measureFile('app/a.ts', source).casts).toEqual(['app/a.ts:1', 'app/a.ts:3', 'app/a.ts:3']);
});
