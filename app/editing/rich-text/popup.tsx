import { type Editor, posToDOMRect } from '@tiptap/core';
import { clsx } from 'clsx';
import { type HTMLAttributes, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';

/** Height of the bar with the save button, in px. */
const BAR_HEIGHT = 76;

/** Distance to the text, in px. */
const GAP = 6;

interface PopupProps extends HTMLAttributes<HTMLDivElement> {
  editor: Editor;
  /** Range of the text that the popup is next to. */
  from: number;
  to: number;
  /** Prefers the place above the range, and stays in view as long as a part of the range does. */
  isAbove?: boolean;
}

/** Renders a popup above or below a range of the text. It does not move the text, and it follows the text. */
export function Popup({ editor, from, to, isAbove = false, className, ...props }: PopupProps) {
  const popup = useRef<HTMLDivElement>(null);
  const place = useEffectEvent(() => {
    if (popup.current) placeAt(editor, popup.current, posToDOMRect(editor.view, from, to), isAbove);
  });
  useLayoutEffect(() => place());
  useEffect(() => {
    const update = () => place();
    // The text, the page or the drawer scrolls.
    for (const event of ['scroll', 'resize']) window.addEventListener(event, update, true);
    return () => {
      for (const event of ['scroll', 'resize']) window.removeEventListener(event, update, true);
    };
  }, []);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keeps focus and selection in the text
    <div
      ref={popup}
      onMouseDown={(event) => {
        if (event.target instanceof Element && !event.target.closest('input, select, label')) event.preventDefault();
      }}
      className={clsx(
        'absolute z-30 max-w-[calc(100%-1rem)] animate-fade rounded-md border border-line bg-surface shadow-md dark:border-line-strong',
        className,
      )}
      {...props}
    />
  );
}

function placeAt({ view, state }: Editor, popup: HTMLElement, target: DOMRect, isAbove: boolean): void {
  const frame = popup.offsetParent;
  const toolbar = frame?.previousElementSibling;
  if (!frame || !toolbar) return;
  const box = frame.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = popup;
  const windowBottom = window.innerHeight - BAR_HEIGHT;
  // The toolbar can be sticky above the text.
  const highest = toolbar.getBoundingClientRect().bottom + GAP;
  const lowest = Math.min(box.bottom, windowBottom) - height;
  const fits = (top: number) => top >= highest && top + height <= windowBottom;
  const places = [target.top - height - GAP, target.bottom + GAP] as const;
  const [preferred, other] = isAbove ? places : [places[1], places[0]];
  let top = fits(preferred) || !fits(other) ? preferred : other;
  if (isAbove) {
    top = Math.max(highest, Math.min(top, lowest));
    const caret = view.coordsAtPos(state.selection.head);
    if (caret.top < top + height && caret.bottom > top) top = Math.max(highest, lowest);
    const isVisible = target.bottom > highest && target.top < lowest + height;
    popup.style.opacity = isVisible ? '' : '0';
    popup.style.pointerEvents = isVisible ? '' : 'none';
  }
  popup.style.top = `${top - box.top}px`;
  popup.style.left = `${Math.max(8, Math.min(target.left - box.left, box.width - width - 8))}px`;
}
