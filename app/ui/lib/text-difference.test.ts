import { expect, it } from 'vitest';
import { shortened, textDifference, textEdits } from './text-difference.ts';

const marked = (pieces: readonly { text: string; isChanged: boolean }[]) =>
  pieces.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('');

const difference = (before: string, after: string) => {
  const result = textDifference(before, after);
  return [marked(result.before), marked(result.after)];
};

it.each([
  ['One ferry\nTwo cabins', 'One train\nTwo cabins', 'One [ferry]\nTwo cabins', 'One [train]\nTwo cabins'],
  ['', 'New', '', '[New]'],
  ['Gone', '', '[Gone]', ''],
  ['Same', 'Same', 'Same', 'Same'],
  ['A\nB\nC', 'A\nC', 'A\n[B\n]C', 'A\nC'],
])('Compares %j and %j word by word', (before, after, left, right) => {
  expect(difference(before, after)).toEqual([left, right]);
});

it.each([
  ['vi så at dere vokser.', 'vi så at dere søker folk.', 'vi så at dere [-vokser][+søker folk].'],
  ['We saw two ferries.', 'We met some cabins.', 'We [-saw two ferries][+met some cabins].'],
  ['Evening at sea', 'New store at sea', '[-Evening][+New store] at sea'],
  ['Hi {{first_name}}!', 'Hi {{company}}!', 'Hi [-{{first_name}}][+{{company}}]!'],
  ['A\nB', 'A\nB\nC', 'A\nB[+\nC]'],
  ['Same', 'Same', 'Same'],
  [
    'Anna writes to every hotel on the coast before the end of the winter, and asks for a call.',
    'Few answer on Fridays, so Ola phones the bakeries in Oslo and meets them on a Monday.',
    '[-Anna writes to every hotel on the coast before the end of the winter, and asks for a call.][+Few answer on Fridays, so Ola phones the bakeries in Oslo and meets them on a Monday.]',
  ],
])('Merges %j and %j into one text', (before, after, merged) => {
  const sign = { none: '', removed: '-', added: '+' };
  const edits = textEdits(before, after);
  expect(edits.map(({ text, change }) => (sign[change] ? `[${sign[change]}${text}]` : text)).join('')).toBe(merged);
});

it('The pieces contain every character of both texts', () => {
  const before = 'The quick brown fox\n\njumps over\tthe lazy dog\n'.repeat(20);
  const after = before.replaceAll('fox', 'cat').replace('dog\n', 'hen  \n\n');
  const result = textDifference(before, after);
  expect(result.before.map(({ text }) => text).join('')).toBe(before);
  expect(result.after.map(({ text }) => text).join('')).toBe(after);
});

it('Marks long texts without common parts as changed as a whole', () => {
  const words = (word: string) => Array.from({ length: 20_000 }, (_, n) => `${word}${n}`);
  const [before, after] = [words('a').join('\n'), words('b').join('\n')];
  expect(textDifference(before, after)).toEqual({
    before: [{ text: before, isChanged: true }],
    after: [{ text: after, isChanged: true }],
  });
});

it('Shortens long unchanged runs but keeps the text around a change', () => {
  const long = 'word '.repeat(1000);
  const { before } = textDifference(`${long}old ${long}`, `${long}new ${long}`);
  const short = shortened(before);
  expect(marked(short)).toMatch(/^… .{100,}word \[old\] word.{100,} …$/);
  expect(marked(short).length).toBeLessThan(500);
  expect(marked(shortened([{ text: 'Short', isChanged: false }]))).toBe('Short');
  expect(marked(shortened([{ text: long, isChanged: false }]))).toMatch(/^word .* …$/);
});
