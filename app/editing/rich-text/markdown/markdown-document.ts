import type { Node, Schema } from '@tiptap/pm/model';
import { readMarkdown } from './read-markdown.ts';
import { isEmptyParagraph, writeBlock } from './write-markdown.ts';

export interface MarkdownDocument {
  doc: Node;
  /** Returns the Markdown of an edited document. Blocks that were not edited keep their source, byte for byte. */
  write: (doc: Node) => string;
}

interface Original {
  node: Node;
  index: number;
  source: string;
  /** Whitespace up to the next block. */
  gap: string;
}

/**
 * Opens Markdown for editing. ProseMirror nodes are immutable, so a node that is still the same object was not edited.
 */
export function openMarkdown(schema: Schema, text: string): MarkdownDocument {
  const blocks = readMarkdown(schema, text);
  const lead = text.slice(0, blocks[0]?.from ?? text.length);
  const originals = blocks.map(
    ({ node, from, to }, index): Original => ({
      node,
      index,
      source: text.slice(from, to),
      gap: text.slice(to, blocks[index + 1]?.from ?? text.length),
    }),
  );
  const originalsByNode = new WeakMap(originals.map((original) => [original.node, original]));
  const written = new WeakMap<Node, string>();
  const doc = schema.node('doc', null, blocks.length > 0 ? blocks.map(({ node }) => node) : [schema.node('paragraph')]);

  /** Finds the original of a block. Also finds it after undo, which creates equal nodes instead of the same objects. */
  const originalOf = (node: Node): Original | undefined => {
    const original =
      originalsByNode.get(node) ?? (written.has(node) ? undefined : originals.find((other) => other.node.eq(node)));
    if (original) originalsByNode.set(node, original);
    return original;
  };
  const textOf = (node: Node, before: string): string => {
    const isList = node.type.name.endsWith('List');
    const text = (isList ? undefined : written.get(node)) ?? writeBlock(node, before);
    written.set(node, text);
    return text;
  };

  const gapBetween = (before: Original | undefined, after: Original | undefined): string => {
    if (before && after) return after.index === before.index + 1 ? before.gap : '\n\n';
    const gap = before?.gap ?? originals[(after?.index ?? 0) - 1]?.gap ?? '';
    const isBlankLine = /\n[ \t]*\r?\n/.test(gap);
    return isBlankLine || (gap && before?.node.type.name === 'heading') ? gap : '\n\n';
  };

  const write = (edited: Node): string => {
    let result = '';
    let last: Original | undefined;
    let isFirst = true;
    for (const [index, node] of edited.children.entries()) {
      let original = originalOf(node);
      if (!original && isEmptyParagraph(node)) continue;
      // The source of the last code block may lack its closing fence.
      const isOpenEnd = original?.index === originals.length - 1 && edited.children.slice(index + 1).some(isFilled);
      if (isOpenEnd && node.type.name === 'codeBlock') original = undefined;
      const before = isFirst ? (original?.index === 0 ? lead : '') : gapBetween(last, original);
      result += before + (original?.source ?? textOf(node, result));
      last = original;
      isFirst = false;
    }
    const end = originals.at(-1)?.gap ?? '';
    if (isFirst) return text.trim() === '' ? text : '';
    return result + (last?.index === originals.length - 1 ? end : (/\r?\n$/.exec(text)?.[0] ?? ''));
  };
  return { doc, write };
}

function isFilled(node: Node): boolean {
  return !isEmptyParagraph(node);
}
