import type { Edit } from './markdown-edits.ts';

/**
 * Applies an edit as if typed, so that undo works and the form is notified. execCommand is deprecated, but nothing else
 * writes to the undo history of a text area.
 */
export function performEdit(area: HTMLTextAreaElement, edit: Edit): void {
  area.focus();
  area.setSelectionRange(edit.from, edit.to);
  if (edit.insert !== '') document.execCommand('insertText', false, edit.insert);
  else if (edit.from !== edit.to) document.execCommand('delete');
  area.setSelectionRange(edit.selectFrom, edit.selectTo);
}

/** Applies an edit elsewhere in the text and keeps focus, selection and scroll position. */
export function performEditElsewhere(area: HTMLTextAreaElement, edit: Edit): void {
  const focused = document.activeElement;
  const { selectionStart, selectionEnd, scrollTop } = area;
  const moved = (place: number) => {
    if (place <= edit.from) return place;
    return Math.max(place + edit.insert.length - (edit.to - edit.from), edit.from);
  };
  performEdit(area, { ...edit, selectFrom: moved(selectionStart), selectTo: moved(selectionEnd) });
  area.scrollTop = scrollTop;
  if (focused instanceof HTMLElement && focused !== area) focused.focus({ preventScroll: true });
}
