import type { Editor } from '@tiptap/core';

/** Height of the bar with the save button, in px. */
const BAR_HEIGHT = 76;

/** Returns the CSS position of a popup at a position of the text: below its line, or above if there is more room. */
export function placeAt(
  { view }: Editor,
  frame: HTMLElement | null,
  position: number,
  { width, height, above = false }: { width: number; height: number; above?: boolean },
): { left: number; top?: number; bottom?: number } {
  if (!frame) return { left: 8, top: 8 };
  const line = view.coordsAtPos(position);
  const box = frame.getBoundingClientRect();
  const left = Math.max(8, Math.min(line.left - box.left, box.width - width - 8));
  if (above) {
    const top = line.top - height - 6 > box.top ? line.top - height - 6 : line.bottom + 6;
    const lowest = Math.min(box.bottom, window.innerHeight - BAR_HEIGHT) - height;
    // The line of a long selection can be scrolled out of view.
    return { left, top: Math.max(box.top + 6, Math.min(top, lowest)) - box.top };
  }
  const isAbove = line.bottom + height + BAR_HEIGHT > window.innerHeight && line.top > height;
  return isAbove ? { left, bottom: box.bottom - line.top + 6 } : { left, top: line.bottom - box.top + 6 };
}
