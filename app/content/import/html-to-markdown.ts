/** Converts the HTML of posts to Markdown, in Node and in browsers. */
import type { Element, ElementContent, Nodes, RootContent } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { toMdast } from 'hast-util-to-mdast';
import { gfmStrikethroughToMarkdown } from 'mdast-util-gfm-strikethrough';
import { gfmTableToMarkdown } from 'mdast-util-gfm-table';
import { gfmTaskListItemToMarkdown } from 'mdast-util-gfm-task-list-item';
import { defaultHandlers, type Handle, type Options, toMarkdown } from 'mdast-util-to-markdown';
import { attribute, element, isElement } from '../../editing/rich-text/paste/element.ts';
import { safeHref } from '../../ui/lib/safe-href.ts';
import { parseVideoUrl } from '../../ui/lib/video-url.ts';
import { removeMembersOnlyContent, simplifyCard } from './ghost-cards.ts';

export interface ConvertContext {
  /** Returns the new URL of an imported file, or undefined if the import does not contain it. */
  file: (url: string, alt?: string) => string | undefined;
  /** Returns the new URL of a link. */
  link: (url: string) => string;
  note: (text: string) => void;
}

/** @throws RangeError if the HTML is nested too deeply */
export function htmlToMarkdown(html: string, context: ConvertContext): string {
  const children = cleanAll(fromHtml(html, { fragment: true }).children, context);
  return toMarkdown(toMdast({ type: 'root', children }), TO_MARKDOWN).trim();
}

/** Returns the text of an HTML fragment on one line. */
export function plainText(html: string): string {
  if (!/[<&]/.test(html)) return html.replace(/\s+/g, ' ').trim();
  return getText(fromHtml(html, { fragment: true }))
    .replace(/\s+/g, ' ')
    .trim();
}

function getText(node: Nodes): string {
  if (node.type === 'text') return node.value;
  if (isElement(node, 'script', 'style')) return '';
  return 'children' in node ? node.children.map(getText).join('') : '';
}

const SILENTLY_DROPPED = new Set(['style', 'link', 'meta', 'noscript', 'template', 'title', 'svg', 'button']);
const DROPPED = new Set([
  'script',
  'object',
  'embed',
  'applet',
  'form',
  'input',
  'select',
  'textarea',
  'canvas',
  'math',
]);

function cleanAll(nodes: readonly RootContent[], context: ConvertContext): ElementContent[] {
  return removeMembersOnlyContent(nodes, context.note).flatMap((node): ElementContent[] => {
    if (node.type === 'text') return [node];
    if (node.type === 'comment' && /^\s*(wp:html\b|kg-card-begin: html)/.test(node.value)) {
      context.note('Contained embedded HTML. Check the result.');
    }
    return node.type === 'element' ? cleanElement(node, context) : [];
  });
}

function cleanElement(node: Element, context: ConvertContext): ElementContent[] {
  const card = simplifyCard(node, context.note);
  if (card) return cleanAll(card, context);
  if (SILENTLY_DROPPED.has(node.tagName)) return [];
  if (DROPPED.has(node.tagName)) {
    // Keep the checkboxes of task lists.
    if (node.properties['type'] === 'checkbox') return [node];
    context.note(`Removed: <${node.tagName}>.`);
    return [];
  }
  if (isElement(node, 'img')) return cleanPicture(node, context);
  if (isElement(node, 'iframe', 'video', 'audio')) return cleanPlayer(node, context);
  if (isElement(node, 'a')) return cleanLink(node, context);
  const url = findOnlyUrl(node);
  if (url) return [element('p', [linkTo(url)])];
  const children = cleanAll(node.children, context);
  // Ghost nests <strong> in <b> and <em> in <i>.
  const [onlyChild, ...otherChildren] = children;
  if (onlyChild && otherChildren.length === 0 && isSameEmphasis(node, onlyChild)) return [onlyChild];
  if (isElement(node, 'p') && children.length === 0) return [];
  if (!isElement(node, 'figcaption')) return [{ ...node, children }];
  // Markdown cannot nest emphasis.
  const content = children.flatMap((child) => (isElement(child, 'em', 'i') ? child.children : [child]));
  return content.length > 0 ? [element('p', [element('em', content)])] : [];
}

function cleanPicture(node: Element, context: ConvertContext): ElementContent[] {
  const alt = attribute(node, 'alt').replace(/\s+/g, ' ').trim();
  const source = attribute(node, 'src') || attribute(node, 'dataSrc');
  const src = source && context.file(source, alt);
  if (src) return [element('img', [], { src, alt })];
  if (source.startsWith('data:')) context.note('Removed an embedded picture (data URL).');
  else context.note(source ? `Picture not found: ${source}.` : 'Removed a picture without a URL.');
  return /^https?:\/\//i.test(source) ? [element('a', [text(alt || source)], { href: source })] : [text(alt)];
}

/**
 * Replaces an embedded player with a link. A link to a known video host becomes a URL on its own line, which pages show
 * as a video.
 */
function cleanPlayer(node: Element, context: ConvertContext): ElementContent[] {
  const nested = node.children.find((child) => isElement(child, 'source'));
  const source = attribute(node, 'src') || attribute(node, 'dataSrc') || (nested ? attribute(nested, 'src') : '');
  const url = source.replace(/^\/\//, 'https://');
  const file = node.tagName === 'iframe' ? undefined : context.file(url);
  const video = parseVideoUrl(url);
  if (file) return [element('p', [linkTo(file)])];
  if (video?.host) return [element('p', [linkTo(video.page)])];
  if (!/^https?:\/\//i.test(url)) {
    context.note(`Removed: <${node.tagName}>.`);
    return [];
  }
  context.note(`Replaced <${node.tagName}> with a link: ${url}.`);
  return [element('p', [linkTo(url)])];
}

function cleanLink(node: Element, context: ConvertContext): ElementContent[] {
  const url = attribute(node, 'href').trim();
  const children = cleanAll(node.children, context);
  const file = context.file(url);
  if (!file && node.properties['download'] && !/^https?:/i.test(url)) {
    context.note(`File not found: ${url}.`);
    return children;
  }
  // WordPress links a picture to its own file.
  if (file && children.some((child) => isElement(child, 'img'))) return children;
  const href = file ?? safeHref(context.link(url));
  if (href) return [element('a', children, { href })];
  if (url) context.note(`Link removed: ${url.slice(0, 100)}.`);
  return children;
}

/** Returns the URL if a block contains nothing else. WordPress stores videos this way. */
function findOnlyUrl(node: Element): string | undefined {
  if (!isElement(node, 'p', 'div') || node.children.some((child) => child.type !== 'text')) return undefined;
  return /^\s*(https?:\/\/\S+)\s*$/.exec(getText(node))?.[1];
}

function isSameEmphasis(node: Nodes, child: Nodes): boolean {
  return [['b', 'strong'] as const, ['i', 'em'] as const].some(
    (tags) => isElement(node, ...tags) && isElement(child, ...tags),
  );
}

function text(value: string): ElementContent {
  return { type: 'text', value };
}

function linkTo(url: string): Element {
  return element('a', [text(url)], { href: url });
}

/** Writes a link that is alone in its paragraph as a bare URL, which pages show as a video. */
const link: Handle = Object.assign(
  (...[node, parent, state, info]: Parameters<typeof defaultHandlers.link>) => {
    const [onlyChild, ...otherChildren] = node.children;
    const isBareUrl =
      onlyChild?.type === 'text' &&
      otherChildren.length === 0 &&
      onlyChild.value === node.url &&
      parent?.children.length === 1;
    return isBareUrl && !/[\s<>]/.test(node.url) ? node.url : defaultHandlers.link(node, parent, state, info);
  },
  { peek: defaultHandlers.link.peek },
);

const TO_MARKDOWN: Options = {
  bullet: '-',
  rule: '-',
  extensions: [
    gfmTableToMarkdown({ tablePipeAlign: false }),
    gfmStrikethroughToMarkdown(),
    gfmTaskListItemToMarkdown(),
    {
      handlers: {
        link,
        // Markdown ignores underscores within words, so they need no escape.
        text: (node, parent, state, info) =>
          defaultHandlers.text(node, parent, state, info).replace(/(?<=\w)\\_(?=\w)/g, '_'),
      },
    },
  ],
};
