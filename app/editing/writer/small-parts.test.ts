import { describe, expect, it } from 'vitest';
import { countWords } from './count-words.ts';
import { findText, matchAfter, replaceMatches } from './find-text.ts';
import { applyEdit } from './markdown-edits.ts';
import { splitSections } from './split-sections.ts';
import { textRows } from './text-rows.ts';
import { commandsLike } from './writer-commands.ts';

describe('counting', () => {
  it.each([
    ['', 0, 0],
    ['## The *first* mail', 3, 1],
    ["It's [our guide](https://example.com/a-b-c), 1,200.50 well-known naïve 日本語", 7, 1],
    ['---\n\n- [ ] https://example.com/only', 0, 0],
    ['word '.repeat(1150), 1150, 5],
  ])('finds in %j what people read', (markdown, words, minutes) => {
    expect(countWords(markdown)).toEqual({ words, minutes });
  });
});

describe('finding', () => {
  const text = 'Mail, mail and e-mail (a.b)';

  it.each([
    ['mail', false, 3],
    ['mail', true, 2],
    ['a.b', false, 1],
    ['(', true, 1],
    ['', false, 0],
  ])('finds %j with case %s %i times', (words, isCaseKept, count) => {
    expect(findText(text, words, isCaseKept)).toHaveLength(count);
  });

  it('continues at the start after the last match', () => {
    const matches = findText(text, 'mail', false);
    expect([0, 1, 7, 20, 27].map((place) => matchAfter(matches, place))).toEqual([0, 1, 2, 0, 0]);
    expect(matchAfter([], 0)).toBe(-1);
  });

  it('replaces all in one edit and takes the words literally', () => {
    const edit = replaceMatches(text, findText(text, 'mail', false), '$& post');
    expect(edit && applyEdit(text, edit)).toBe('$& post, $& post and e-$& post (a.b)');
  });
});

describe('sections', () => {
  it('begin at headings, but not within code', () => {
    const text = 'Start\n\n## One\n\n```\n# no heading\n```\n\n### Two\n\nEnd';
    const sections = splitSections(text);
    expect(sections.map((section) => section.text.trim().split('\n')[0])).toEqual(['Start', '## One', '### Two']);
    expect(sections.map((section) => section.text).join('')).toBe(text);
    expect(sections.every(({ from, text: part }) => text.startsWith(part, from))).toBe(true);
  });

  it('stay together where parts refer to each other', () => {
    expect(splitSections('A[^1]\n\n## B\n\n[^1]: note')).toHaveLength(1);
    expect(splitSections('[A]\n\n## B\n\n[A]: /b')).toHaveLength(1);
  });
});

it('rows of a text lead from a height to a place and back', () => {
  const rows = textRows(`${'x'.repeat(100)}\n\nend`, 50);
  expect(rows.heightOf(0)).toBe(0);
  expect(rows.heightOf(101)).toBe(0.5);
  expect(rows.placeAt(0.25)).toBeCloseTo(50.5);
  expect(rows.heightOf(rows.placeAt(0.6))).toBeCloseTo(0.6);
});

it.each([
  ['', 14],
  ['ta', 2],
  ['task l', 1],
  ['todo', 1],
  ['xyz', 0],
])('the slash menu offers for %j %i commands', (typed, count) => {
  expect(commandsLike(typed)).toHaveLength(count);
});
