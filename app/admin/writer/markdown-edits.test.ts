import { describe, expect, it } from 'vitest';
import {
  applyEdit,
  continueList,
  type Edit,
  insertBlock,
  linkPasted,
  makeCodeBlock,
  makeLink,
  type Passage,
  toggleLines,
  toggleMark,
} from './markdown-edits.ts';

/** Reads a text in which | marks the caret or both ends of the selection. */
function passage(marked: string): Passage {
  const start = marked.indexOf('|');
  const end = marked.lastIndexOf('|');
  return { text: marked.replaceAll('|', ''), start, end: end === start ? start : end - 1 };
}

/** Writes the text after an edit in the same notation. */
function result(before: Passage, edit: Edit): string {
  const text = applyEdit(before.text, edit);
  if (edit.selectFrom === edit.selectTo) return `${text.slice(0, edit.selectFrom)}|${text.slice(edit.selectFrom)}`;
  return `${text.slice(0, edit.selectFrom)}|${text.slice(edit.selectFrom, edit.selectTo)}|${text.slice(edit.selectTo)}`;
}

describe('marks', () => {
  it.each([
    ['surrounds the selection', 'a |word| b', 'a **|word|** b'],
    ['writes a placeholder at a bare caret', 'a | b', 'a **|bold text|** b'],
    ['takes the mark away again', 'a **|word|** b', 'a |word| b'],
    ['takes the mark away when it is selected too', 'a |**word**| b', 'a |word| b'],
  ])('bold %s', (_, before, after) => {
    const given = passage(before);
    expect(result(given, toggleMark(given, '**', 'bold text'))).toBe(after);
  });

  it('italic inside bold adds its own mark instead of breaking the bold one', () => {
    const given = passage('**|word|**');
    expect(result(given, toggleMark(given, '*', 'italic text'))).toBe('***|word|***');
  });
});

describe('lines', () => {
  it('turns every selected line into a bullet and leaves empty lines alone', () => {
    const given = passage('|one\n\ntwo|\nthree');
    expect(result(given, toggleLines(given, 'bullets'))).toBe('|- one\n\n- two|\nthree');
  });

  it('removes the bullets when all lines have them', () => {
    const given = passage('|- one\n- two|');
    expect(result(given, toggleLines(given, 'bullets'))).toBe('|one\ntwo|');
  });

  it('numbers lines in order and replaces another kind of prefix', () => {
    const given = passage('|- one\n- two|');
    expect(result(given, toggleLines(given, 'numbers'))).toBe('|1. one\n2. two|');
  });

  it('starts a heading on an empty line', () => {
    const given = passage('text\n|');
    expect(result(given, toggleLines(given, 'heading'))).toBe('text\n## |');
  });
});

describe('links, code and blocks', () => {
  it('keeps the selected words and selects the address to type', () => {
    const given = passage('see |our work| now');
    expect(result(given, makeLink(given))).toBe('see [our work](|https://|) now');
  });

  it('keeps a selected address and selects the words to type', () => {
    const given = passage('|https://example.com|');
    expect(result(given, makeLink(given))).toBe('[|link text|](https://example.com)');
  });

  it('makes selected words a link to a pasted address', () => {
    const given = passage('see |our work| now');
    const edit = linkPasted(given, 'https://example.com/work');
    expect(edit && result(given, edit)).toBe('see [our work](https://example.com/work)| now');
  });

  it.each([
    ['see | now', 'https://example.com'],
    ['see |our work| now', 'other words'],
    ['[our work](|https://|)', 'https://example.com'],
  ])('leaves a paste over %j of %j to the browser', (before, pasted) => {
    expect(linkPasted(passage(before), pasted)).toBeNull();
  });

  it('fences whole lines', () => {
    const given = passage('a\n|b|c\nd');
    expect(result(given, makeCodeBlock(given))).toBe('a\n```\n|bc|\n```\nd');
  });

  it('puts a picture on a line of its own', () => {
    const given = passage('before| after');
    expect(result(given, insertBlock(given, '![](x.png)'))).toBe('before\n\n![](x.png)|\n\n after');
  });
});

describe('Enter', () => {
  it.each([
    ['- one|', '- one\n- |'],
    ['9. nine|', '9. nine\n10. |'],
    ['> said|', '> said\n> |'],
    ['  - nested|', '  - nested\n  - |'],
    ['text\n- |', 'text\n|'],
  ])('in %j gives %j', (before, after) => {
    const given = passage(before);
    const edit = continueList(given);
    expect(edit && result(given, edit)).toBe(after);
  });

  it.each(['plain|', '- |sel|ected'])('in %j is an ordinary line break', (before) => {
    expect(continueList(passage(before))).toBeNull();
  });
});
