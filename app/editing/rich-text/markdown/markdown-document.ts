import type { Node, Schema } from '@tiptap/pm/model';
import { readSections, type SourceBlock } from './read-markdown.ts';
import { isEmptyParagraph, writeBlock } from './write-markdown.ts';

export interface MarkdownDocument {
  /** The first part of a long text, or the whole text. */
  doc: Node;
  /** Parses the next part of a long text. Returns undefined at the end. */
  readMore?: () => Node[] | undefined;
  /** Returns the Markdown of an edited document. Blocks that were not edited keep their source, byte for byte. */
  write: (doc: Node) => string;
}

interface Original extends SourceBlock {
  index: number;
}

/**
 * Opens Markdown for editing. ProseMirror nodes are immutable, so a node that is still the same object was not edited.
 */
export function openMarkdown(schema: Schema, text: string): MarkdownDocument {
  const sections = readSections(schema, text);
  const originals: Original[] = [];
  const originalsByNode = new WeakMap<Node, Original>();
  const readMore = (): Node[] | undefined => {
    const { value, done } = sections.next();
    if (done) return undefined;
    for (const block of value) {
      const original = { ...block, index: originals.length };
      originals.push(original);
      originalsByNode.set(block.node, original);
    }
    return value.map(({ node }) => node);
  };
  const written = new WeakMap<Node, string>();
  const firstBlocks = readMore() ?? [];
  const doc = schema.node('doc', null, firstBlocks.length > 0 ? firstBlocks : [schema.node('paragraph')]);
  const lead = text.slice(0, originals[0]?.from ?? text.length);

  /** Returns the whitespace up to the next block. */
  const gapAfter = (original: Original | undefined): string =>
    original ? text.slice(original.to, originals[original.index + 1]?.from ?? text.length) : '';
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
    if (before && after) return after.index === before.index + 1 ? gapAfter(before) : '\n\n';
    const gap = gapAfter(before ?? originals[(after?.index ?? 0) - 1]);
    const isBlankLine = /\n[ \t]*\r?\n/.test(gap);
    return isBlankLine || (gap && before?.node.type.name === 'heading') ? gap : '\n\n';
  };

  const write = (edited: Node): string => {
    let result = '';
    let previous: Original | undefined;
    let isFirst = true;
    for (const [index, node] of edited.children.entries()) {
      let original = originalOf(node);
      if (!original && isEmptyParagraph(node)) continue;
      // The last code block of the source may lack its closing fence, so rewrite it if text was added after it.
      const isFollowedByNewText =
        original?.index === originals.length - 1 && edited.children.slice(index + 1).some(isFilled);
      if (isFollowedByNewText && node.type.name === 'codeBlock') original = undefined;
      const before = isFirst ? (original?.index === 0 ? lead : '') : gapBetween(previous, original);
      result += before + (original ? text.slice(original.from, original.to) : textOf(node, result));
      previous = original;
      isFirst = false;
    }
    const end = gapAfter(originals.at(-1));
    if (isFirst) return text.trim() === '' ? text : '';
    return result + (previous?.index === originals.length - 1 ? end : (/\r?\n$/.exec(text)?.[0] ?? ''));
  };
  return { doc, readMore, write };
}

function isFilled(node: Node): boolean {
  return !isEmptyParagraph(node);
}
