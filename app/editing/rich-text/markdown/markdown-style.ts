/** Style of the Markdown that the editor writes. */
import type { Blockquote, Link, PhrasingContent, RootContent, Text } from 'mdast';
import { gfmFootnoteToMarkdown } from 'mdast-util-gfm-footnote';
import { gfmStrikethroughToMarkdown } from 'mdast-util-gfm-strikethrough';
import { gfmTableToMarkdown } from 'mdast-util-gfm-table';
import { gfmTaskListItemToMarkdown } from 'mdast-util-gfm-task-list-item';
import { defaultHandlers, type Handlers, type Options, toMarkdown } from 'mdast-util-to-markdown';

declare module 'mdast' {
  interface BlockquoteData {
    /** Kind of a callout, such as NOTE. */
    callout?: string;
  }
}

const BARE_URL = /^https?:\/\/[\w-]+(\.[\w-]+)+(?:[/?#][^\s<>()*~]*[\w/])?$/;

const HANDLERS: Partial<Handlers> = {
  blockquote: (node: Blockquote, parent, state, info) => {
    const quote = defaultHandlers.blockquote(node, parent, state, info);
    return node.data?.callout ? `> [!${node.data.callout}]\n${quote}`.replace(/\n> ?$/, '') : quote;
  },
  /** A bare URL is linked automatically, and becomes a video if it is on its own line. */
  link: Object.assign(
    (...[node, parent, state, info]: Parameters<typeof defaultHandlers.link>) =>
      isBareUrl(node, parent?.children ?? []) ? node.url : defaultHandlers.link(node, parent, state, info),
    { peek: defaultHandlers.link.peek },
  ),
  /** Underscores within words and all characters within URLs are not escaped. */
  text: (node: Text, parent, state, info) =>
    defaultHandlers
      .text(node, parent, state, info)
      .replace(/(?<=\w)\\_(?=\w)/g, '_')
      .replace(/https?:\/\/\S+/g, (url) => url.replace(/\\([_*~&])/g, '$1')),
};

/** Returns true for a link that shows its URL and is separated from other text by spaces. */
function isBareUrl(link: Link, siblings: readonly (RootContent | PhrasingContent)[]): boolean {
  const [label, ...otherChildren] = link.children;
  if (label?.type !== 'text' || otherChildren.length > 0 || label.value !== link.url || link.title) return false;
  const index = siblings.indexOf(link);
  const [before, after] = [siblings[index - 1], siblings[index + 1]];
  return (
    BARE_URL.test(link.url) &&
    (!before || (before.type === 'text' && /\s$/.test(before.value))) &&
    (!after || (after.type === 'text' && /^\s/.test(after.value)))
  );
}

const OPTIONS: Options = {
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

export function writeMarkdown(children: RootContent[], options: Options = {}): string {
  return toMarkdown({ type: 'root', children }, { ...OPTIONS, ...options }).trimEnd();
}
