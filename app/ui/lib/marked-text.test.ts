import { expect, it } from 'vitest';
import { markedText } from './marked-text.ts';

it('Highlights words regardless of case, the longest match first', () => {
  expect(markedText('Signal and signals', ['signal', 'signals'])).toEqual([
    { text: 'Signal', isMarked: true },
    { text: ' and ', isMarked: false },
    { text: 'signals', isMarked: true },
  ]);
});

it('Treats special characters of regular expressions as text', () => {
  expect(markedText('a.b (c) [d]/e', ['a.b', '(c)', '[d]/e']).filter(({ isMarked }) => isMarked)).toHaveLength(3);
  expect(markedText('axb', ['a.b'])).toEqual([{ text: 'axb', isMarked: false }]);
});

it('Highlights nothing if there are no words', () => {
  expect(markedText('text', [])).toEqual([{ text: 'text', isMarked: false }]);
});
