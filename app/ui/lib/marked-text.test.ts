import { expect, it } from 'vitest';
import { markedText } from './marked-text.ts';

it('Marks words in any case, the longest of them', () => {
  expect(markedText('Signal and signals', ['signal', 'signals'])).toEqual([
    { text: 'Signal', isMarked: true },
    { text: ' and ', isMarked: false },
    { text: 'signals', isMarked: true },
  ]);
});

it('What means something in patterns is only text', () => {
  expect(markedText('a.b (c) [d]/e', ['a.b', '(c)', '[d]/e']).filter(({ isMarked }) => isMarked)).toHaveLength(3);
  expect(markedText('axb', ['a.b'])).toEqual([{ text: 'axb', isMarked: false }]);
});

it('Without words nothing is marked', () => {
  expect(markedText('text', [])).toEqual([{ text: 'text', isMarked: false }]);
});
