import { describe, expect, it } from 'vitest';
import {
  applyEdit,
  continueList,
  describePicture,
  type Edit,
  insertBlock,
  insertDraft,
  insertFootnote,
  linkAt,
  linkPasted,
  makeCallout,
  makeCodeBlock,
  movePicture,
  type Passage,
  toggleLines,
  toggleMark,
  withoutRange,
  writeLink,
} from './markdown-edits.ts';

/** Parses a text with | at the caret or at both ends of the selection. */
function passage(marked: string): Passage {
  const start = marked.indexOf('|');
  const end = marked.lastIndexOf('|');
  return { text: marked.replaceAll('|', ''), start, end: end === start ? start : end - 1 };
}

/** Formats the result of an edit in the same notation. */
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
    ['leaves blanks at the ends outside', '|Note: |text', '**|Note:|** text'],
    ['marks each paragraph', '|one\n\ntwo |three', '**|one**\n\n**two|** three'],
    ['takes the mark away when it is selected too', 'a |**word**| b', 'a |word| b'],
  ])('bold %s', (_, before, after) => {
    const input = passage(before);
    expect(result(input, toggleMark(input, '**', 'bold text'))).toBe(after);
  });

  it('italic inside bold adds its own mark instead of breaking the bold one', () => {
    const input = passage('**|word|**');
    expect(result(input, toggleMark(input, '*', 'italic text'))).toBe('***|word|***');
  });
});

describe('lines', () => {
  it('turns every selected line into a bullet and leaves empty lines alone', () => {
    const input = passage('|one\n\ntwo|\nthree');
    expect(result(input, toggleLines(input, 'bullets'))).toBe('|- one\n\n- two|\nthree');
  });

  it('removes the bullets when all lines have them', () => {
    const input = passage('|- one\n- two|');
    expect(result(input, toggleLines(input, 'bullets'))).toBe('|one\ntwo|');
  });

  it('numbers lines in order and replaces another kind of prefix', () => {
    const input = passage('|- one\n- two|');
    expect(result(input, toggleLines(input, 'numbers'))).toBe('|1. one\n2. two|');
  });

  it('makes tasks of bullets', () => {
    const input = passage('|- one\n- two|');
    expect(result(input, toggleLines(input, 'tasks'))).toBe('|- [ ] one\n- [ ] two|');
  });

  it('starts a heading on an empty line', () => {
    const input = passage('text\n|');
    expect(result(input, toggleLines(input, 'heading'))).toBe('text\n## |');
  });
});

describe('links, code and blocks', () => {
  it.each([
    ['see |our work| now', { words: 'our work', address: '', from: 4, to: 12 }],
    ['|https://example.com|', { words: '', address: 'https://example.com', from: 0, to: 19 }],
    ['see [our| work](/projects) now', { words: 'our work', address: '/projects', from: 4, to: 25 }],
    ['a picture ![al|t](/a.png)', { words: '', address: '', from: 14, to: 14 }],
  ])('finds the link to edit in %j', (marked, draft) => {
    expect(linkAt(passage(marked))).toEqual(draft);
  });

  it('replaces the selection with the link', () => {
    const input = passage('see |our work| now');
    const edit = writeLink({ ...linkAt(input), address: '/projects?case=a (b)' });
    expect(result(input, edit)).toBe('see [our work](/projects?case=a%20%28b%29)| now');
  });

  it('makes selected words a link to a pasted address', () => {
    const input = passage('see |our work| now');
    const edit = linkPasted(input, 'https://example.com/work');
    expect(edit && result(input, edit)).toBe('see [our work](https://example.com/work)| now');
  });

  it.each([
    ['see | now', 'https://example.com'],
    ['see |our work| now', 'other words'],
    ['[our work](|https://|)', 'https://example.com'],
  ])('leaves a paste over %j of %j to the browser', (before, pasted) => {
    expect(linkPasted(passage(before), pasted)).toBeNull();
  });

  it('fences whole lines', () => {
    const input = passage('a\n|b|c\nd');
    expect(result(input, makeCodeBlock(input))).toBe('a\n```\n|bc|\n```\nd');
  });

  it('puts a picture on a line of its own', () => {
    const input = passage('before| after');
    expect(result(input, insertBlock(input, '![](x.png)'))).toBe('before\n\n![](x.png)|\n\n after');
  });
});

describe('blocks to fill in', () => {
  it('selects the first cell of a table', () => {
    const input = passage('a|');
    expect(result(input, insertDraft(input, '| One | Two |\n| - | - |', 'One'))).toBe(
      'a\n\n| |One| | Two |\n| - | - |',
    );
  });

  it('makes lines a callout', () => {
    const input = passage('|one\ntwo|');
    expect(result(input, makeCallout(input))).toBe('> [!NOTE]\n> one\n> two|');
  });

  it('numbers a footnote after those that are there and puts its note below the paragraph', () => {
    const input = passage('One[^3] two| three.\n\nNext.');
    expect(result(input, insertFootnote(input))).toBe('One[^3] two[^4] three.\n\n[^4]: |Footnote|\n\nNext.');
  });

  it('removes the text that was typed to find the command', () => {
    const text = 'a\n/head\nb';
    const edit = toggleLines({ text: 'a\n\nb', start: 2, end: 2 }, 'heading');
    expect(applyEdit(text, withoutRange(edit, 2, 7))).toBe('a\n## \nb');
  });
});

describe('pictures', () => {
  const text = 'x ![one](/a.png) y ![two](/b.png) z ![three](/a.png)';

  it('get a description at every occurrence', () => {
    const edit = describePicture(text, '/a.png', 'a [new] one');
    expect(edit && applyEdit(text, edit)).toBe(
      'x ![a \\[new\\] one](/a.png) y ![two](/b.png) z ![a \\[new\\] one](/a.png)',
    );
  });

  it('move to another address, or out of the text', () => {
    const [moved, removed] = [movePicture(text, '/b.png', '/c.png'), movePicture(text, '/b.png', '')];
    expect(moved && applyEdit(text, moved)).toBe('x ![one](/a.png) y ![two](/c.png) z ![three](/a.png)');
    expect(removed && applyEdit(text, removed)).toBe('x ![one](/a.png) y  z ![three](/a.png)');
    expect(movePicture(text, '/d.png', '')).toBeNull();
  });
});

describe('Enter', () => {
  it.each([
    ['- one|', '- one\n- |'],
    ['9. nine|', '9. nine\n10. |'],
    ['> said|', '> said\n> |'],
    ['  - nested|', '  - nested\n  - |'],
    ['text\n- |', 'text\n|'],
    ['- [x] done|', '- [x] done\n- [ ] |'],
    ['- [ ] |', '|'],
  ])('in %j gives %j', (before, after) => {
    const input = passage(before);
    const edit = continueList(input);
    expect(edit && result(input, edit)).toBe(after);
  });

  it.each(['plain|', '- |sel|ected'])('in %j is an ordinary line break', (before) => {
    expect(continueList(passage(before))).toBeNull();
  });
});
