/** Loaded on the first paste of HTML. See docs/decisions/editing.md. */
import type { Schema } from '@tiptap/pm/model';
import type { Element, Nodes as HastNodes, Root } from 'hast';
import { fromDom } from 'hast-util-from-dom';
import { type State as MdastState, type Options as ToMdastOptions, toMdast } from 'hast-util-to-mdast';
import type { FootnoteDefinition, Nodes } from 'mdast';
import { openMarkdown } from '../markdown/markdown-document.ts';
import { readTree } from '../markdown/read-markdown.ts';
import { cleanBlocks } from './blocks.ts';
import { attribute } from './element.ts';
import { findFootnotes } from './footnotes.ts';
import { PLAIN } from './inline.ts';
import { beginPaste, type PastedPicture } from './paste.ts';

interface Converted {
  markdown: string;
  /** Pictures that are not stored on this site, without duplicates. */
  pictures: readonly PastedPicture[];
}

/** HTML of the clipboard and its tree. */
interface Clipboard {
  html: string;
  root: Root;
}

interface ConvertOptions {
  schema: Schema;
  /** Origin of this site, which is removed from URLs. */
  origin: string;
  /** Highest numbers in the target text. */
  used?: { footnotes: number; pictures: number };
}

/**
 * Converts clipboard HTML to Markdown.
 * @returns null if the HTML has no formatting
 * @throws RangeError if the nesting exceeds the stack
 */
export function htmlToMarkdown(
  { html, root: pasted }: Clipboard,
  plainText: string,
  { schema, origin, used = { footnotes: 0, pictures: 0 } }: ConvertOptions,
): Converted | null {
  const paste = beginPaste(html, origin, used.pictures);
  const root = findFootnotes(pasted, used.footnotes);
  const children = cleanBlocks(root.children, PLAIN, paste);
  const tree = toMdast({ type: 'root', children }, { handlers: FROM_HTML });
  tighten(tree);
  const nodes = tree.type === 'root' ? readTree(schema, tree.children) : [];
  const markdown = openMarkdown(schema, '').write(schema.topNodeType.create(null, nodes));
  if (!markdown || hasSameText(markdown, plainText)) return null;
  return { markdown, pictures: paste.pictures };
}

/**
 * Parses HTML with the browser's parser, which runs no scripts and loads nothing. Inline styles are parsed under another
 * name, because the content security policy rejects them.
 */
export function parseHtml(html: string): Root {
  const unstyled = html
    .replace(/<style\b[\s\S]*?<\/style>/gi, '')
    .replace(/<[a-z][^>]*>/gi, (tag) => tag.replace(/\sstyle\s*=/gi, ' data-style='));
  const root = fromDom(new DOMParser().parseFromString(unstyled, 'text/html').body);
  const restore = (node: HastNodes): void => {
    if (node.type === 'element') node.properties['style'] = attribute(node, 'dataStyle');
    if ('children' in node) node.children.forEach(restore);
  };
  restore(root);
  return { type: 'root', children: 'children' in root ? root.children : [] };
}

/** Lets the editor decide which lists are tight: those without an item of several paragraphs. */
function tighten(node: Nodes): void {
  if ('spread' in node) node.spread = null;
  if ('children' in node) node.children.forEach(tighten);
}

function hasSameText(markdown: string, plainText: string): boolean {
  const normalize = (text: string) =>
    text
      .replace(/\\(?=[^\w\s])/g, '')
      .replace(/\s+/g, ' ')
      .trim();
  return normalize(markdown) === normalize(plainText);
}

const FROM_HTML: NonNullable<ToMdastOptions['handlers']> = {
  'footnote-ref': (_state: MdastState, node: Element) => {
    const label = attribute(node, 'label');
    return { type: 'footnoteReference', identifier: label, label };
  },
  footnote: (state: MdastState, node: Element): FootnoteDefinition => {
    const label = attribute(node, 'label');
    return {
      type: 'footnoteDefinition',
      identifier: label,
      label,
      children: state.toFlow(state.all(node)),
    };
  },
};
