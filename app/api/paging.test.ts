import { expect, test } from 'vitest';
import { nearerEnd } from './paging.ts';

test('Every page has the same rows from whichever end it is read, the last one too', () => {
  const rows = Array.from({ length: 53 }, (_, index) => index);
  for (const page of [1, 2, 3, 4, 5, 6]) {
    const { first, last, isFromEnd } = nearerEnd(page, rows.length, 10);
    const read = (isFromEnd ? rows.toReversed() : rows).slice(first, last + 1);
    expect(isFromEnd ? read.toReversed() : read).toEqual(rows.slice((page - 1) * 10, page * 10));
    expect(first).toBeLessThan(30);
  }
});

test('A page past the end is asked for as it is', () => {
  expect(nearerEnd(9, 53, 10)).toEqual({ first: 80, last: 89, isFromEnd: false });
  expect(nearerEnd(1, 0, 10)).toEqual({ first: 0, last: 9, isFromEnd: false });
});
