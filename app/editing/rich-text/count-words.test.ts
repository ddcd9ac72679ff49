import { expect, test } from 'vitest';
import { createWordCounter } from './count-words.ts';

test('Words are counted without markup and URLs, also after an edit', () => {
  const count = createWordCounter();
  const first = "## It's here\n\nSee [our page](/page) or https://example.com/a-b.\n\n";
  expect(count(first)).toEqual({ words: 6, minutes: 1 });
  expect(count(`${first}- one\n- two\n\n${'word '.repeat(460)}`)).toEqual({ words: 468, minutes: 2 });
  expect(count(first)).toEqual(createWordCounter()(first));
  expect(count(' ')).toEqual({ words: 0, minutes: 0 });
});
