/** Converts clipboard HTML to Markdown. Loaded on the first such paste. See docs/decisions/editing.md. */
import type { Element } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { type State as MdastState, type Options as ToMdastOptions, toMdast } from 'hast-util-to-mdast';
import type { Blockquote, FootnoteDefinition, Link, Nodes, Text } from 'mdast';
import { gfmFootnoteToMarkdown } from 'mdast-util-gfm-footnote';
import { gfmStrikethroughToMarkdown } from 'mdast-util-gfm-strikethrough';
import { gfmTableToMarkdown } from 'mdast-util-gfm-table';
import { gfmTaskListItemToMarkdown } from 'mdast-util-gfm-task-list-item';
import { defaultHandlers, type Handlers, type Options, toMarkdown } from 'mdast-util-to-markdown';
import { cleanBlocks } from './blocks.ts';
import { attribute } from './element.ts';
import { findFootnotes } from './footnotes.ts';
import { PLAIN } from './inline.ts';
import { beginPaste, type PastedPicture, sourceOf } from './paste.ts';

interface Converted {
  markdown: string;
  /** Pictures from elsewhere, without duplicates. */
  pictures: readonly PastedPicture[];
}

interface ConvertOptions {
  /** Origin of this site, which is removed from URLs. */
  origin: string;
  /** Target text. */
  into?: string;
}

/**
 * @returns null if the HTML has no formatting
 * @throws RangeError if the nesting exceeds the stack
 */
export function htmlToMarkdown(html: string, plain: string, { origin, into = '' }: ConvertOptions): Converted | null {
  const paste = beginPaste(sourceOf(html), origin);
  const used = Math.max(0, ...[...into.matchAll(/\[\^(\d{1,4})\]/g)].map(([, number]) => Number(number)));
  const root = findFootnotes(fromHtml(html, { fragment: true }), used);
  const children = cleanBlocks(root.children, PLAIN, paste);
  const tree = toMdast({ type: 'root', children }, { handlers: FROM_HTML });
  tighten(tree);
  const markdown = toMarkdown(tree, TO_MARKDOWN).trim();
  if (!markdown || saysTheSame(markdown, plain)) return null;
  return { markdown, pictures: paste.pictures };
}

/** List items are tight unless one has several paragraphs. */
function tighten(node: Nodes): void {
  if (!('children' in node)) return;
  for (const child of node.children) tighten(child);
  if (node.type === 'listItem') node.spread = node.children.filter(({ type }) => type === 'paragraph').length > 1;
  if (node.type === 'list') node.spread = node.children.some(({ spread }) => spread);
}

function saysTheSame(markdown: string, plain: string): boolean {
  const words = (text: string) =>
    text
      .replace(/\\(?=[^\w\s])/g, '')
      .replace(/\s+/g, ' ')
      .trim();
  return words(markdown) === words(plain);
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
  callout: (state: MdastState, node: Element): Blockquote => ({
    type: 'blockquote',
    data: { callout: true },
    children: state.toFlow(state.all(node)),
  }),
};

declare module 'mdast' {
  interface BlockquoteData {
    callout?: boolean;
  }
}

/** Overrides of library defaults, to match the writer's buttons. */
const HANDLERS: Partial<Handlers> = {
  blockquote: (node: Blockquote, parent, state, info) => {
    const quote = defaultHandlers.blockquote(node, parent, state, info);
    return node.data?.callout ? `> [!NOTE]\n${quote}` : quote;
  },
  /** A bare URL is linked automatically, and becomes a video if it is on its own line. */
  link: Object.assign(
    (
      node: Link,
      parent: Parameters<typeof defaultHandlers.link>[1],
      state: Parameters<typeof defaultHandlers.link>[2],
      info: Parameters<typeof defaultHandlers.link>[3],
    ) => {
      const [words, ...others] = node.children;
      const isBare = words?.type === 'text' && others.length === 0 && words.value === node.url && !node.title;
      return isBare &&
        /^https?:\/\/[^\s<>()*_~]+[\w/]$|^https?:\/\/[^\s<>()*~]+$/.test(node.url) &&
        parent?.children.length === 1
        ? node.url
        : defaultHandlers.link(node, parent, state, info);
    },
    { peek: defaultHandlers.link.peek },
  ),
  /** No escaping of underscores within words, or of any character within URLs. */
  text: (node: Text, parent, state, info) =>
    defaultHandlers
      .text(node, parent, state, info)
      .replace(/(?<=\w)\\_(?=\w)/g, '_')
      .replace(/https?:\/\/\S+/g, (address) => address.replace(/\\([_*~&])/g, '$1')),
};

const TO_MARKDOWN: Options = {
  bullet: '-',
  rule: '-',
  extensions: [
    gfmTableToMarkdown({ tablePipeAlign: false }),
    gfmStrikethroughToMarkdown(),
    gfmTaskListItemToMarkdown(),
    gfmFootnoteToMarkdown(),
    { handlers: HANDLERS },
  ],
};
