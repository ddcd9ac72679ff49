import { expect, test } from 'vitest';
import { countWords } from './count-words.ts';

test('Words are counted without markup and URLs', () => {
  const text = "## It's here\n\nSee [our page](/page) or https://example.com/a-b.\n\n";
  expect(countWords(text)).toEqual({ words: 6, minutes: 1 });
  expect(countWords(`${text}- one\n- two\n\n${'word '.repeat(460)}`)).toEqual({ words: 468, minutes: 2 });
});
