import { KINDS } from '../../content/kinds.ts';
import { type EditableField, fieldKey } from './editable-fields.ts';
import type { Match } from './find-matches.ts';

/** A match with its position in the layer of buttons. */
export interface PositionedMatch {
  /** Stable while the page changes, so that the button keeps the focus. */
  key: string;
  field: EditableField;
  label: string;
  box: { left: number; top: number; width: number; height: number };
}

const MIN_SIZE = 8;
/** Space between a text and its outline. */
const SPACE = 5;

/** Returns the visible matches with their positions relative to `layer`. */
export function positionMatches(matches: readonly Match[], layer: Element): PositionedMatch[] {
  const base = layer.getBoundingClientRect();
  const count = new Map<string, number>();
  const positioned: PositionedMatch[] = [];
  for (const { node, field } of matches) {
    const box = visibleBox(node);
    const previous = positioned.at(-1);
    if (!box) continue;
    const { left, top, width, height } = box;
    const relativeBox = {
      left: left - base.left - SPACE,
      top: top - base.top - SPACE,
      width: width + 2 * SPACE,
      height: height + 2 * SPACE,
    };
    // Rotating words share one button, which opens their list.
    if (previous && isSameList(previous.field, field) && overlaps(previous.box, relativeBox)) continue;
    const key = fieldKey(field);
    const copyIndex = count.get(key) ?? 0;
    // An item may be shown twice. A second match of a section's text is unrelated, such as the site name in the logo.
    if (copyIndex > 0 && field.kind === 'page_content') continue;
    count.set(key, copyIndex + 1);
    positioned.push({ key: `${key} ${copyIndex}`, field, label: fieldLabelOf(field), box: relativeBox });
  }
  return positioned;
}

/** Returns the part of a node's box that no ancestor clips, or null if the node is hidden. */
function visibleBox(node: Text | Element): DOMRect | null {
  const element = node instanceof Element ? node : node.parentElement;
  if (!element?.checkVisibility({ visibilityProperty: true })) return null;
  const range = document.createRange();
  range.selectNodeContents(node);
  let { left, top, right, bottom } = (node instanceof Element ? node : range).getBoundingClientRect();
  for (let clip: Element | null = element; clip && clip !== document.body; clip = clip.parentElement) {
    if (getComputedStyle(clip).overflow === 'visible') continue;
    const bounds = clip.getBoundingClientRect();
    left = Math.max(left, bounds.left);
    top = Math.max(top, bounds.top);
    right = Math.min(right, bounds.right);
    bottom = Math.min(bottom, bounds.bottom);
  }
  const box = new DOMRect(left, top, right - left, bottom - top);
  return box.width >= MIN_SIZE && box.height >= MIN_SIZE ? box : null;
}

function isSameList(first: EditableField, second: EditableField): boolean {
  return first.id === second.id && listPath(first.path) === listPath(second.path);
}

function listPath(path: string): string {
  return path.replace(/\d+$/, '');
}

function overlaps(first: PositionedMatch['box'], second: PositionedMatch['box']): boolean {
  return (
    first.left < second.left + second.width &&
    second.left < first.left + first.width &&
    first.top < second.top + second.height &&
    second.top < first.top + first.height
  );
}

/** Returns 'main heading', 'chapters 1 title' for a field in a list, or 'service title' for a field of an item. */
function fieldLabelOf({ kind, path }: EditableField): string {
  const item = KINDS.find(({ table }) => table === kind);
  const fieldLabel = path
    .split('.')
    .map((segment) => (/^\d+$/.test(segment) ? String(Number(segment) + 1) : separateWords(segment)))
    .join(' ');
  return item ? `${item.singular} ${fieldLabel}` : fieldLabel;
}

function separateWords(name: string): string {
  return name
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
}
