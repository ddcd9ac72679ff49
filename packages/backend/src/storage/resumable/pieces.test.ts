import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { splitIntoPieces } from './pieces.ts';

async function* chunks(...texts: (string | Error)[]) {
  for (const text of texts) {
    if (text instanceof Error) throw text;
    yield Buffer.from(text);
  }
}

test.each([
  [['abcdefgh'], ['abc', 'def', 'gh', '']],
  [
    ['ab', 'cde', 'f'],
    ['abc', 'def', '', ''],
  ],
  [
    ['', 'a', ''],
    ['a', '', '', ''],
  ],
  [[], ['', '', '', '']],
])('splits the chunks %j into pieces of at most three bytes: %j', async (texts, expected) => {
  const pieces = splitIntoPieces(chunks(...texts));
  const actual: string[] = [];
  for (const _ of expected) actual.push((await buffer(pieces.next(3))).toString());
  expect(actual).toEqual(expected);
  expect(pieces.hasEnded()).toBe(true);
  await expect(pieces.drain()).resolves.toBeUndefined();
});

test('An aborted stream ends its last piece, and drain() throws its error', async () => {
  const fault = new Error('The connection was reset');
  const pieces = splitIntoPieces(chunks('abcd', fault));
  expect((await buffer(pieces.next(3))).toString()).toBe('abc');
  expect(pieces.hasEnded()).toBe(false);
  expect((await buffer(pieces.next(3))).toString()).toBe('d');
  expect(pieces.hasEnded()).toBe(true);
  await expect(pieces.drain()).rejects.toBe(fault);
});
