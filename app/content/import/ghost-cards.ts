/** Simplifies the HTML of Ghost's cards, which contains the controls of players and sign-up forms. */
import type { Element, ElementContent, RootContent } from 'hast';

type Note = (text: string) => void;

/** Returns the parts of a card that are content, or undefined if the element is not such a card. */
export function simplifyCard(node: Element, note: Note): ElementContent[] | undefined {
  if (hasClass(node, 'kg-callout-card')) {
    const emoji = find(node, byClass('kg-callout-emoji'));
    const words = find(node, byClass('kg-callout-text'))?.children ?? [];
    const children = emoji ? [...emoji.children, { type: 'text' as const, value: ' ' }, ...words] : words;
    return [element('blockquote', [element('p', children)])];
  }
  if (hasClass(node, 'kg-file-card')) {
    const link = find(node, ({ tagName }) => tagName === 'a');
    return link ? [fileLink(link.properties['href'], find(node, byClass('kg-file-card-title')) ?? link)] : [];
  }
  if (hasClass(node, 'kg-audio-card')) {
    const audio = find(node, ({ tagName }) => tagName === 'audio');
    const title = find(node, byClass('kg-audio-title'));
    if (audio && title) return [fileLink(audio.properties['src'], title)];
    return audio && [audio];
  }
  if (hasClass(node, 'kg-video-card')) {
    return ['video', 'figcaption'].flatMap((tag) => find(node, ({ tagName }) => tagName === tag) ?? []);
  }
  if (hasClass(node, 'kg-signup-card')) {
    note('Removed: signup card.');
    return [];
  }
  if (hasClass(node, 'kg-bookmark-container')) {
    const title = find(node, byClass('kg-bookmark-title'));
    return title && [{ ...node, properties: { href: node.properties['href'] }, children: title.children }];
  }
  return undefined;
}

/** Removes the parts of a public post that Ghost shows only to members. */
export function removeMembersOnly(nodes: readonly RootContent[], note: Note): RootContent[] {
  let isHidden = false;
  return nodes.filter((node) => {
    if (node.type !== 'comment' || !node.value.startsWith('kg-gated-block:')) return !isHidden;
    isHidden = /^kg-gated-block:begin\b.*\bnonMember:false\b/.test(node.value);
    if (isHidden) note('Removed: a part for members only.');
    return false;
  });
}

function fileLink(url: unknown, { children }: Element): ElementContent {
  return element('p', [{ ...element('a', children), properties: { href: String(url), download: true } }]);
}

function element(tagName: string, children: ElementContent[]): Element {
  return { type: 'element', tagName, properties: {}, children };
}

function hasClass({ properties: { className } }: Element, name: string): boolean {
  return Array.isArray(className) && className.includes(name);
}

function byClass(name: string) {
  return (node: Element) => hasClass(node, name);
}

/** Searches below a node, not the node itself. */
function find(node: Element, isMatch: (node: Element) => boolean): Element | undefined {
  for (const child of node.children) {
    const match = child.type === 'element' && (isMatch(child) ? child : find(child, isMatch));
    if (match) return match;
  }
  return undefined;
}
