import { getSchema } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { Transform } from '@tiptap/pm/transform';
import { describe, expect, it } from 'vitest';
import { editorExtensions } from '../extensions.ts';
import { openMarkdown } from './markdown-document.ts';
import { readMarkdown, readSections, type SourceBlock } from './read-markdown.ts';

const schema = getSchema(editorExtensions());

/** Opens a text, replaces words in it, and returns the Markdown. */
function replace(text: string, search: string, replacement: string): string {
  const { doc, write } = openMarkdown(schema, text);
  return write(replaceIn(doc, search, replacement));
}

function replaceIn(doc: Node, search: string, replacement: string): Node {
  const transform = new Transform(doc);
  doc.descendants((node, position) => {
    const at = node.text?.indexOf(search) ?? -1;
    if (at < 0 || transform.docChanged) return;
    const [from, to] = [position + at, position + at + search.length];
    if (replacement) transform.replaceWith(from, to, schema.text(replacement, node.marks));
    else transform.delete(from, to);
  });
  expect(transform.docChanged).toBe(true);
  return transform.doc;
}

const MESSY = `
# Title
Text with *emphasis* and __strong__,
wrapped by hand.


* one
* two

    - deep

Setext
======

<div align="center">
  <b>raw</b>
</div>

| a | b |
|---|:-:|
| 1 | 2 |

[ref]: https://example.com "A title"
1) first
2) second

\`\`\`js title="x"
let a = 1;
\`\`\`
***
> [!TIP]
> Words[^note]

[^note]: A note
    with two lines


`;

describe('An unedited text', () => {
  it.each([
    ['with every kind of block', MESSY],
    ['with Windows line breaks', MESSY.replaceAll('\n', '\r\n')],
    ['that is empty', ''],
    ['of empty lines', '\n \n\n'],
    ['without a line break at its end', '# Title\n\nText  '],
    ['with a code block that is not closed', '```\ncode\n\n\n'],
    ['with a byte order mark', '\ufeff# Title\n'],
  ])('is written unchanged: %s', (_, text) => {
    const { doc, write } = openMarkdown(schema, text);
    expect(write(doc)).toBe(text);
  });
});

describe('An edit', () => {
  it.each([
    ['Title', 'Heading', '# Heading\n\n'],
    ['wrapped by hand', 'in one line', 'Text with *emphasis* and **strong**, in one line.\n\n\n'],
    ['deep', 'deeper', '- one\n- two\n\n  - deeper\n\n'],
    ['Setext', 'Underlined', '# Underlined\n\n'],
    ['let', 'const', '```js title="x"\nconst a = 1;\n```\n\n'],
    ['Words', 'Text', '> [!TIP]\n> Text[^note]\n\n'],
  ])('changes only the block that contains it: %j', (search, replacement, written) => {
    const text = replace(MESSY, search, replacement);
    expect(text).toContain(written);
    const changed = MESSY.split('\n').filter((line) => line && !text.includes(line));
    expect(changed.every((line) => /Title|emphasis|wrapped|one|two|deep|Setext|===|let|Words|TIP/.test(line))).toBe(
      true,
    );
    expect(changed.length).toBeLessThan(4);
  });

  it('restores the source when it is undone', () => {
    const { doc, write } = openMarkdown(schema, MESSY);
    const edited = replaceIn(doc, 'emphasis', 'stress');
    expect(write(edited)).toContain('*stress*');
    expect(write(replaceIn(edited, 'stress', 'emphasis'))).toBe(MESSY);
  });

  it('keeps adjacent lists separate', () => {
    expect(replace('* a\n\n+ b', 'b', 'c')).toBe('* a\n\n- c');
    expect(replace('- a\n\n* b', 'b', 'c')).toBe('- a\n\n* c');
    expect(replace('1. a\n\n1) b', 'b', 'c')).toBe('1. a\n\n1) c');
  });

  it('closes an unclosed code block above it', () => {
    const { doc, write } = openMarkdown(schema, '```\ncode');
    const longer = doc.copy(doc.content.addToEnd(schema.node('paragraph', null, schema.text('Text'))));
    expect(write(longer)).toBe('```\ncode\n```\n\nText');
  });

  it('that removes everything produces an empty text', () => {
    const { write } = openMarkdown(schema, 'Text\n');
    expect(write(schema.node('doc', null, schema.node('paragraph')))).toBe('');
  });
});

describe('Syntax that the editor cannot show', () => {
  it.each([
    ['HTML', '<details>\n<summary>More</summary>\n</details>'],
    ['definitions', '[a]: https://example.com'],
    ['lists with some tasks', '- [ ] task\n- item'],
    ['a video within a paragraph', 'See\nhttps://www.youtube.com/watch?v=dQw4w9WgXcQ\nthere'],
    ['links without text', 'a [](https://example.com) b'],
  ])('is kept as a block of source: %s', (_, source) => {
    const { doc } = openMarkdown(schema, `Before\n\n${source}\n\nAfter`);
    expect(doc.children.map(({ type }) => type.name)).toEqual(['paragraph', 'rawBlock', 'paragraph']);
    expect(doc.child(1).attrs['value']).toBe(source);
    expect(replace(`Before\n\n${source}\n\nAfter`, 'After', 'End')).toBe(`Before\n\n${source}\n\nEnd`);
  });

  it('is kept inside a paragraph', () => {
    expect(replace('a <kbd>x</kbd> b', 'b', 'c')).toBe('a <kbd>x</kbd> c');
  });
});

describe('A long text', () => {
  const part = '## Part\n\n- one\n\n  two\n\n| a |\n| - |\n| b |\n\n> quote\n\n    # code\n\n';
  const count = 400;
  const text = part.repeat(count);

  /** Opens a text like the editor, which adds the following parts to the end of the document. */
  function openAll(markdown: string) {
    const { doc, readMore, write } = openMarkdown(schema, markdown);
    const transform = new Transform(doc);
    for (let nodes = readMore?.(); nodes; nodes = readMore?.()) transform.insert(transform.doc.content.size, nodes);
    return { start: doc, doc: transform.doc, write };
  }

  it('is parsed the same as its parts, and keeps its source', () => {
    const { start, doc, write } = openAll(text);
    const expected = openMarkdown(schema, part).doc.children;
    expect(doc.childCount).toBe(count * expected.length);
    expect(start.childCount).toBeLessThan(doc.childCount);
    for (const [index, node] of doc.children.entries())
      expect(node.eq(expected[index % expected.length] ?? doc)).toBe(true);
    expect(write(doc)).toBe(text);
    expect(write(replaceIn(doc, 'Part', 'New'))).toBe(text.replace('Part', 'New'));
  });

  it('is parsed at once if it contains code that may look like a heading', () => {
    expect(openMarkdown(schema, `~~~\n${text}~~~`).doc.childCount).toBe(1);
  });

  const CODE = '```md\n# no heading\n\nText\n\n# no heading\n```\n\nText\n\n';
  it.each([
    ['code', CODE, '```\n# not closed\n\nText', true],
    ['code in lists', '1. item\n\n   ```md\n   # code\n\n   Text\n\n2. item\n\nText\n\n', '', true],
    ['HTML', '<!-- comment\n\n# no heading\n\nText -->\n\n<div>\n\n# heading\n\n</div>\n\n', '', true],
    ['footnotes', 'Text[^1] and[^b].\n\n', '[^1]: Note\n[^b]: Two\n\n    paragraphs', true],
    ['link definitions', 'Text [a], [b][B] and [c].\n\n', '[a]: /a\n[b]: /b\n  "Title"\n\n[C]: /c\n', true],
    ['Windows line breaks', '# Heading\r\n\r\nText\r\n\r\n', '', true],
    ['repeated definitions', 'Text [a].\n\n', '[a]: /a\n\n[a]: /b', false],
    ['quoted definitions', 'Text [a].\n\n', '> [a]: /a', false],
    ['code like a definition', 'Text [a].\n\n', '```\n\n[a]: /a\n\n```', false],
  ])('is parsed in sections as if parsed at once: %s', (_, repeated, end, isSplit) => {
    const markdown = repeated.repeat(Math.ceil(25_000 / repeated.length)) + end;
    const sections = [...readSections(schema, markdown)];
    expect(sections.length > 1).toBe(isSplit);
    const json = (blocks: SourceBlock[]) => blocks.map(({ node, from, to }) => [from, to, node.toJSON()]);
    expect(json(sections.flat())).toEqual(json(readMarkdown(schema, markdown)));
  });
});
