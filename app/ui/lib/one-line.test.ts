import { expect, test } from 'vitest';
import { oneLine } from './one-line.ts';

test.each([
  ['  Kari Nordmann ', 'Kari Nordmann'],
  ['Kari\u000bNordmann\u0007', 'Kari Nordmann'],
  ['Kari\r\nNordmann\t', 'Kari Nordmann'],
  ['\u0001', ''],
])('Parses %j to %j', (text, line) => {
  expect(oneLine.parse(text)).toBe(line);
});
