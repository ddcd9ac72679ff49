import { expect, test } from 'vitest';
import { splitSentences } from './sentences.ts';

test('Splits a text into unique sentences at line ends and sentence ends', () => {
  const text = 'Hei {{first_name}},\n\nvi så at dere vokser. Har dere tid? «Ja!» Pris: 3.5 mill.\r\nHilsen\nHilsen';
  const sentences = splitSentences(text);
  expect(sentences).toEqual([
    'Hei {{first_name}},',
    'vi så at dere vokser.',
    'Har dere tid?',
    '«Ja!»',
    'Pris: 3.5 mill.',
    'Hilsen',
  ]);
  for (const sentence of sentences) expect(text).toContain(sentence);
  expect(splitSentences(' \n')).toEqual([]);
  expect(splitSentences('x'.repeat(5000))[0]).toHaveLength(2000);
});
