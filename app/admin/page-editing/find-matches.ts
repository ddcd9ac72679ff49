/** Finds the text nodes and pictures of a page that show the value of a field. */
import { markdownText } from '../../ui/lib/markdown-text.ts';
import type { EditableField } from './editable-fields.ts';

export interface Match {
  node: Text | Element;
  field: EditableField;
}

interface Found {
  node: Text | Element;
  /** More than one if several fields have the same value. */
  fields: readonly EditableField[];
}

/** Values of at least this length may be Markdown, and may be shown as a part of a text. */
const LONG = 60;
const MIN_PART = 6;
/** Letters compared at both ends of a long text. */
const END = 30;
/** Number of matches before and after one that count as its neighbours. */
const NEAR = 12;
/** A name that is not shown, such as 'projects', has neither. */
const WORDING = /[\p{Lu}\d\s]/u;

/** Returns the matches in page order. */
export function findMatches(roots: readonly Element[], fields: readonly EditableField[]): Match[] {
  const byText = Map.groupBy(fields, ({ value }) => collapsed(value));
  const nodes = roots.flatMap(visibleNodes);
  const whole = nodes.flatMap((node): Found[] => {
    const same = byText.get(collapsed(node instanceof Text ? node.data : (node.getAttribute('src') ?? '')));
    const found = same?.filter((field) => canShow(node, field)) ?? [];
    return found.length > 0 ? [{ node, fields: found }] : [];
  });
  const used = new Set(whole.flatMap((found) => found.fields));
  const others = fields.filter((field) => !used.has(field));
  const taken = new Set(whole.map(({ node }) => node));
  const parts = nodes.flatMap((node): Found[] => {
    if (taken.has(node) || !(node instanceof Text)) return [];
    const found = others.find((field) => canShow(node, field) && isPart(field, node));
    return found ? [{ node, fields: [found] }] : [];
  });
  return chooseFields([...whole, ...parts, ...findLongTexts(roots, others)].toSorted(inPageOrder));
}

/** Texts of the footer are in it, or in the band above it. Navigation does not show items. */
function canShow(node: Node, { kind, id, path }: EditableField): boolean {
  const isInFooter = node.parentElement?.closest('main') === null;
  if (kind !== 'page_content') return !isInFooter && !node.parentElement?.closest('nav');
  return isInFooter ? id === 'home/footer' : id !== 'home/footer' || path.startsWith('closing.');
}

function isPart({ value }: EditableField, node: Text): boolean {
  return value.length >= MIN_PART && WORDING.test(value) && node.data.includes(value);
}

function visibleNodes(root: Element): (Text | Element)[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  const nodes: (Text | Element)[] = [];
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    if ((node instanceof Text && node.data.trim() !== '') || node instanceof HTMLImageElement) nodes.push(node);
  }
  return nodes;
}

/** Finds the innermost element that shows each long text, such as the Markdown of an article. */
function findLongTexts(roots: readonly Element[], fields: readonly EditableField[]): Found[] {
  const long = fields.filter(({ value }) => value.length >= LONG);
  if (long.length === 0) return [];
  const elements = roots.flatMap((root) => [...root.querySelectorAll(':not(svg *)')]).reverse();
  const texts = elements.map((element) => letters(element.textContent));
  return long.flatMap((field): Found[] => {
    const text = letters(markdownText(field.value));
    const index = texts.findIndex(
      (shown) =>
        shown.length >= text.length / 2 && shown.startsWith(text.slice(0, END)) && shown.endsWith(text.slice(-END)),
    );
    const element = elements[index];
    return element && text !== '' ? [{ node: element, fields: [field] }] : [];
  });
}

/** Chooses one of several fields with the same value: an unused one, with the most neighbours from its document. */
function chooseFields(found: readonly Found[]): Match[] {
  const used = new Set<EditableField>();
  return found.flatMap(({ node, fields }, index) => {
    const unused = fields.filter((field) => !used.has(field));
    const candidates = unused.length > 0 ? unused : fields;
    const support = candidates.map((field) => supportOf(field, node, index, found));
    const field = candidates[support.indexOf(Math.max(...support))];
    if (!field) return [];
    used.add(field);
    return [{ node, field }];
  });
}

function supportOf(field: EditableField, node: Node, index: number, found: readonly Found[]): number {
  const near = found.slice(Math.max(0, index - NEAR), index + NEAR + 1);
  return near.reduce((sum, { node: other, fields }, place) => {
    const shared = fields.filter(({ kind, id }) => kind === field.kind && id === field.id);
    if (other === node || shared.length === 0) return sum;
    const distance = Math.abs(place + Math.max(0, index - NEAR) - index);
    return sum + Math.max(...shared.map(({ path }) => sharedLength(field.path, path))) / distance;
  }, 0);
}

/** Number of equal segments at the start of two paths, plus one. */
function sharedLength(path: string, other: string): number {
  const segments = other.split('.');
  return 1 + path.split('.').findIndex((segment, place) => segment !== segments[place]);
}

function inPageOrder({ node }: Found, { node: other }: Found): number {
  return node.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}

function collapsed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function letters(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}
