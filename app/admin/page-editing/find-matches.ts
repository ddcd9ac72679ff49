/** Finds the text nodes and pictures of a page that show the value of a field. */
import { markdownText } from '../../ui/lib/markdown-text.ts';
import type { EditableField } from './editable-fields.ts';

export interface Match {
  node: Text | Element;
  field: EditableField;
}

interface CandidateMatch {
  node: Text | Element;
  /** Matching fields. There are several if they have the same value. */
  fields: readonly EditableField[];
}

/** Minimum length of a value that may be Markdown, or may be rendered as part of a longer text. */
const LONG_TEXT_LENGTH = 60;
const MIN_PART_LENGTH = 6;
/** Number of characters compared at both ends of a long text. */
const COMPARED_LENGTH = 30;
/** Number of neighbours to compare on each side of a match. */
const NEIGHBOUR_COUNT = 12;
/**
 * Matches a capital letter, a digit or a space. Internal names that are never shown, such as 'projects', contain only
 * lower-case letters.
 */
const VISIBLE_TEXT = /[\p{Lu}\d\s]/u;

/** Returns the matches in page order. */
export function findMatches(roots: readonly Element[], fields: readonly EditableField[]): Match[] {
  const byText = Map.groupBy(fields, ({ value }) => collapsed(value));
  const nodes = roots.flatMap(visibleNodes);
  const exactMatches = nodes.flatMap((node): CandidateMatch[] => {
    const sameTextFields = byText.get(collapsed(node instanceof Text ? node.data : (node.getAttribute('src') ?? '')));
    const matchingFields = sameTextFields?.filter((field) => canShow(node, field)) ?? [];
    return matchingFields.length > 0 ? [{ node, fields: matchingFields }] : [];
  });
  const matchedFields = new Set(exactMatches.flatMap((match) => match.fields));
  const remainingFields = fields.filter((field) => !matchedFields.has(field));
  const matchedNodes = new Set(exactMatches.map(({ node }) => node));
  const partialMatches = nodes.flatMap((node): CandidateMatch[] => {
    if (matchedNodes.has(node) || !(node instanceof Text)) return [];
    const matchingField = remainingFields.find((field) => canShow(node, field) && isPartOfNode(field, node));
    return matchingField ? [{ node, fields: [matchingField] }] : [];
  });
  return chooseFields(
    [...exactMatches, ...partialMatches, ...findComposedTexts(roots, remainingFields)].toSorted(comparePageOrder),
  );
}

/** Returns whether a field can appear at a node. Items, for example, never appear in the navigation or the footer. */
function canShow(node: Node, { kind, id, path }: EditableField): boolean {
  const isInFooter = node.parentElement?.closest('main') === null;
  if (kind !== 'page_content') return !isInFooter && !node.parentElement?.closest('nav');
  return isInFooter ? id === 'home/footer' : id !== 'home/footer' || path.startsWith('closing.');
}

function isPartOfNode({ value }: EditableField, node: Text): boolean {
  return value.length >= MIN_PART_LENGTH && VISIBLE_TEXT.test(value) && node.data.includes(value);
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

/** Finds the innermost element that shows each text of several nodes, such as the Markdown of an article. */
function findComposedTexts(roots: readonly Element[], fields: readonly EditableField[]): CandidateMatch[] {
  const candidateFields = fields.filter(({ value }) => value.length >= MIN_PART_LENGTH && VISIBLE_TEXT.test(value));
  if (candidateFields.length === 0) return [];
  const elements = roots.flatMap((root) => [...root.querySelectorAll(':not(svg *)')]).reverse();
  const texts = elements.map((element) => lettersAndDigits(element.textContent));
  return candidateFields.flatMap((field): CandidateMatch[] => {
    const isShown = field.value.length < LONG_TEXT_LENGTH ? isEqual(field) : isLongText(field);
    const element = elements.find((candidate, index) => isShown(texts[index] ?? '') && canShow(candidate, field));
    return element ? [{ node: element, fields: [field] }] : [];
  });
}

/** A figure such as '+40% meetings' is split into two elements. */
function isEqual({ value }: EditableField): (elementText: string) => boolean {
  const text = lettersAndDigits(value);
  return (elementText) => elementText === text;
}

/** Compares the start of a text up to its first placeholder, such as {email}, and the end after its last placeholder. */
function isLongText({ value }: EditableField): (elementText: string) => boolean {
  const parts = markdownText(value)
    .split(/\{\w+\}/)
    .map(lettersAndDigits);
  const start = parts[0]?.slice(0, COMPARED_LENGTH) ?? '';
  const end = parts.at(-1)?.slice(-COMPARED_LENGTH) ?? '';
  const minLength = parts.join('').length / 2;
  return (elementText) =>
    start !== '' && elementText.length >= minLength && elementText.startsWith(start) && elementText.endsWith(end);
}

/**
 * Chooses between fields with the same value. Prefers an unused field, then the document with the most matches nearby.
 */
function chooseFields(candidateMatches: readonly CandidateMatch[]): Match[] {
  const used = new Set<EditableField>();
  return candidateMatches.flatMap(({ node, fields }, index) => {
    const unused = fields.filter((field) => !used.has(field));
    const candidates = unused.length > 0 ? unused : fields;
    const support = candidates.map((field) => rateSupport(field, node, index, candidateMatches));
    const field = candidates[support.indexOf(Math.max(...support))];
    if (!field) return [];
    used.add(field);
    return [{ node, field }];
  });
}

function rateSupport(
  field: EditableField,
  node: Node,
  index: number,
  candidateMatches: readonly CandidateMatch[],
): number {
  const neighbours = candidateMatches.slice(Math.max(0, index - NEIGHBOUR_COUNT), index + NEIGHBOUR_COUNT + 1);
  return neighbours.reduce((sum, { node: otherNode, fields }, position) => {
    const shared = fields.filter(({ kind, id }) => kind === field.kind && id === field.id);
    if (otherNode === node || shared.length === 0) return sum;
    const distance = Math.abs(position + Math.max(0, index - NEIGHBOUR_COUNT) - index);
    return sum + Math.max(...shared.map(({ path }) => sharedLength(field.path, path))) / distance;
  }, 0);
}

/** Returns the number of equal segments at the start of two paths, plus one. */
function sharedLength(path: string, otherPath: string): number {
  const segments = otherPath.split('.');
  return 1 + path.split('.').findIndex((segment, position) => segment !== segments[position]);
}

function comparePageOrder({ node }: CandidateMatch, { node: otherNode }: CandidateMatch): number {
  return node.compareDocumentPosition(otherNode) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}

function collapsed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function lettersAndDigits(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}
