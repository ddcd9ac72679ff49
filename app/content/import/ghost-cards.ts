/** Simplifies the HTML of Ghost's cards, which contains the controls of players and sign-up forms. */
import type { Element, ElementContent, RootContent } from 'hast';
import { attribute, element, findElement, hasClass, isElement } from '../../editing/rich-text/paste/element.ts';

type AddNote = (text: string) => void;

/** Returns the content of a card without its controls, or undefined if the element is not a supported card. */
export function simplifyCard(node: Element, addNote: AddNote): ElementContent[] | undefined {
  // Searches only descendants, because the card itself can match the test.
  const find = (test: (child: Element) => boolean) => findElement({ type: 'root', children: node.children }, test);
  if (hasClass(node, /^kg-callout-card$/)) {
    const emoji = find((child) => hasClass(child, /^kg-callout-emoji$/));
    const textNodes = find((child) => hasClass(child, /^kg-callout-text$/))?.children ?? [];
    const children = emoji ? [...emoji.children, { type: 'text' as const, value: ' ' }, ...textNodes] : textNodes;
    return [element('blockquote', [element('p', children)])];
  }
  if (hasClass(node, /^kg-file-card$/)) {
    const link = find((child) => isElement(child, 'a'));
    return link
      ? [fileLink(attribute(link, 'href'), find((child) => hasClass(child, /^kg-file-card-title$/)) ?? link)]
      : [];
  }
  if (hasClass(node, /^kg-audio-card$/)) {
    const audio = find((child) => isElement(child, 'audio'));
    const title = find((child) => hasClass(child, /^kg-audio-title$/));
    if (audio && title) return [fileLink(attribute(audio, 'src'), title)];
    return audio && [audio];
  }
  if (hasClass(node, /^kg-video-card$/)) {
    return ['video', 'figcaption'].flatMap((tag) => find((child) => isElement(child, tag)) ?? []);
  }
  if (hasClass(node, /^kg-signup-card$/)) {
    addNote('Removed: signup card.');
    return [];
  }
  if (hasClass(node, /^kg-bookmark-container$/)) {
    const title = find((child) => hasClass(child, /^kg-bookmark-title$/));
    return title && [{ ...node, properties: { href: node.properties['href'] }, children: title.children }];
  }
  return undefined;
}

/** Removes sections of a public post that Ghost shows only to members. */
export function removeMembersOnlyContent(nodes: readonly RootContent[], addNote: AddNote): RootContent[] {
  let isHidden = false;
  return nodes.filter((node) => {
    if (node.type !== 'comment' || !node.value.startsWith('kg-gated-block:')) return !isHidden;
    isHidden = /^kg-gated-block:begin\b.*\bnonMember:false\b/.test(node.value);
    if (isHidden) addNote('Removed: a section for members only.');
    return false;
  });
}

function fileLink(url: string, { children }: Element): ElementContent {
  return element('p', [element('a', children, { href: url, download: true })]);
}
