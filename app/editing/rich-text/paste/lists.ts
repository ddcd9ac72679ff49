/** Restores the nesting of lists: Word writes paragraphs with levels, Google Docs nests lists directly in lists. */
import type { Element, RootContent } from 'hast';
import { attribute, type CleanNode, element, findElement, hasClass, isElement, styleOf, textOf } from './element.ts';

/** List item and its level. */
interface LevelEntry {
  /** Starts at 1. */
  level: number;
  isOrdered: boolean;
  start: number;
  content: CleanNode[];
}

/** Replaces consecutive list paragraphs of Word with lists. */
export function gatherLists(nodes: readonly RootContent[]): RootContent[] {
  const result: RootContent[] = [];
  let entries: LevelEntry[] = [];
  const flush = () => {
    if (entries.length > 0) result.push(...buildLists(entries));
    entries = [];
  };
  for (const node of nodes) {
    const nodeEntries = isElement(node) ? entriesOf(node) : [];
    if (nodeEntries.length > 0) entries.push(...nodeEntries);
    // Word adds line breaks between paragraphs.
    else if (node.type === 'element' || (node.type === 'text' && node.value.trim() !== '')) {
      flush();
      result.push(node);
    } else if (entries.length === 0) result.push(node);
  }
  flush();
  return result;
}

function entriesOf(node: Element): LevelEntry[] {
  const list = styleOf(node, 'mso-list');
  const level = /\blevel(\d+)/.exec(list)?.[1];
  if (level) return [paragraphEntry(node, Number(level))];
  if (hasClass(node, /^ListContainerWrapper/)) {
    return node.children.flatMap((child) => (isElement(child, 'ul', 'ol') ? onlineEntries(child) : []));
  }
  if (hasClass(node, /^p-rich_text_list$/)) return onlineEntries(node);
  return [];
}

function paragraphEntry(node: Element, level: number): LevelEntry {
  const marker = findElement(node, (child) => styleOf(child, 'mso-list') === 'ignore');
  const markerText = marker ? textOf(marker).trim() : '';
  const number = /^\(?(\d+|[a-z]{1,4}|[A-Z]{1,4})[.)]/.exec(markerText)?.[1];
  return {
    level,
    isOrdered: number !== undefined,
    start: Number(number) || 1,
    content: without(node, marker).children,
  };
}

/** Returns the items of a list from Word on the web (one list per item) or Slack (one list per change of level). */
function onlineEntries(list: Element): LevelEntry[] {
  return list.children.flatMap((item) => {
    if (!isElement(item, 'li')) return [];
    const slack = Number(attribute(item, 'dataStringifyIndent')) + 1;
    const level = Number(attribute(item, 'dataAriaLevel') || attribute(item, 'ariaLevel')) || slack;
    return [
      { level, isOrdered: list.tagName === 'ol', start: Number(attribute(list, 'start')) || 1, content: item.children },
    ];
  });
}

function without(node: Element, removed: Element | undefined): Element {
  const children = node.children
    .filter((child) => child !== removed)
    .map((child) => (isElement(child) ? without(child, removed) : child));
  return { ...node, children };
}

function buildLists(entries: readonly LevelEntry[]): Element[] {
  const lists: Element[] = [];
  const openLists: { level: number; list: Element }[] = [];
  for (const { level, isOrdered, start, content } of entries) {
    while ((openLists.at(-1)?.level ?? 0) > level) openLists.pop();
    const tagName = isOrdered ? 'ol' : 'ul';
    const current = openLists.at(-1);
    if (current?.level === level && current.list.tagName !== tagName) openLists.pop();
    if (openLists.at(-1)?.level !== level) {
      const list = element(tagName, [], isOrdered ? { start } : {});
      const parent = openLists.at(-1)?.list.children.at(-1);
      if (isElement(parent)) parent.children.push(list);
      else lists.push(list);
      openLists.push({ level, list });
    }
    openLists.at(-1)?.list.children.push(element('li', content));
  }
  return lists;
}

/** Returns the items of a list. A list directly within a list is part of the preceding item. */
export function listEntries(list: Element): Element[] {
  const entries: Element[] = [];
  for (const child of list.children) {
    if (!isElement(child)) continue;
    const previous = entries.at(-1);
    if (isElement(child, 'ul', 'ol') && previous) previous.children.push(child);
    else entries.push(isElement(child, 'li') ? { ...child, children: [...child.children] } : element('li', [child]));
  }
  return entries;
}
