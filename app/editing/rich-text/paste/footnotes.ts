/**
 * Footnotes of Word and Google Docs. A reference links to an anchor at the end of the text, and the note links back.
 */
import type { Element, Root, RootContent } from 'hast';
import { attribute, element, findElement, isElement, styleOf } from './element.ts';

const TO_NOTE = /^#_?((?:ftn|edn|ftnt|cmnt)\d+)$/;
const BACK_LINK = /^#_?(?:ftn|edn|ftnt|cmnt)_?ref\d+$/;

/**
 * Replaces references and notes with the elements footnote-ref and footnote. Keeps references that have no note.
 * @param used highest footnote number in the target text
 */
export function findFootnotes(root: Root, used: number): Root {
  const labels = new Map<string, string>();
  for (const note of noteNames(root)) labels.set(note, String(used + labels.size + 1));
  if (labels.size === 0) return root;
  return { ...root, children: rewrite(root.children, labels) };
}

/** Returns the names of existing notes, in order. */
function noteNames(node: Root | Element): string[] {
  return node.children.flatMap((child) => {
    if (!isElement(child)) return [];
    const name = isElement(child, 'p', 'div', 'li') ? noteName(child) : undefined;
    return name ? [name] : noteNames(child);
  });
}

/** Returns the name of the note in a paragraph. Ignores nested paragraphs. */
function noteName(node: Element): string | undefined {
  if (
    node.children.some(
      (child) => isElement(child, 'p', 'div', 'ul', 'ol', 'table') && styleOf(node, 'mso-element') !== 'footnote',
    )
  ) {
    return undefined;
  }
  const back = findElement(
    node,
    ({ tagName, properties }) => tagName === 'a' && BACK_LINK.test(String(properties['href'] ?? '')),
  );
  return back && /(?:ftn|edn|ftnt|cmnt)_?ref\d+/.exec(attribute(back, 'href'))?.[0].replace(/_?ref/, '');
}

function rewrite<Node extends RootContent>(
  nodes: readonly (Node | Element)[],
  labels: ReadonlyMap<string, string>,
): (Node | Element)[] {
  return nodes.map((node) => {
    if (!isElement(node)) return node;
    if (/^(foot|end)note-list/.test(styleOf(node, 'mso-element'))) {
      // Word separates notes with a horizontal rule.
      const notes = node.children.filter((child) => !isElement(child, 'hr', 'br'));
      return { ...node, children: rewrite(notes, labels) };
    }
    const name = isElement(node, 'p', 'div', 'li') ? noteName(node) : undefined;
    const label = name && labels.get(name);
    if (label) return element('footnote', withoutBackLink(node).children, { label });
    const target = isElement(node, 'a') && TO_NOTE.exec(attribute(node, 'href'))?.[1];
    const reference = target && labels.get(target);
    if (reference) return element('footnote-ref', [], { label: reference });
    return { ...node, children: rewrite(node.children, labels) };
  });
}

function withoutBackLink(node: Element): Element {
  const children = node.children.flatMap((child): Element['children'] => {
    if (!isElement(child)) return [child];
    return isElement(child, 'a') && BACK_LINK.test(attribute(child, 'href')) ? [] : [withoutBackLink(child)];
  });
  return { ...node, children };
}
