import { type Editor, getMarkRange } from '@tiptap/core';

/** Link or selected text with its position. */
export interface LinkRange {
  text: string;
  url: string;
  from: number;
  to: number;
}

/** Returns the link at the selection, or the selected text. */
export function linkAt({ state: { doc, selection, schema } }: Editor): LinkRange {
  const type = schema.marks['link'];
  const linkRange = type && getMarkRange(selection.$from, type);
  const isInside = linkRange && selection.to <= linkRange.to;
  const { from, to } = isInside ? linkRange : selection;
  const text = doc.textBetween(from, to, ' ', '');
  const url = isInside ? String(type.isInSet(doc.nodeAt(from)?.marks ?? [])?.attrs['href'] ?? '') : '';
  const isUrl = /^https?:\/\/\S+$/.test(text);
  return { text: isUrl && !url ? '' : text, url: url || (isUrl ? text : ''), from, to };
}

/** Links the text, or inserts it. Text that did not change keeps its other formatting. */
export function writeLink(editor: Editor, link: LinkRange, text: string, url: string): void {
  const href = url.replace(/\s/g, encodeURIComponent);
  editor
    .chain()
    .focus()
    .command(({ tr, state: { schema, doc } }) => {
      const mark = schema.mark('link', { href });
      if (text === doc.textBetween(link.from, link.to, ' ', '')) tr.addMark(link.from, link.to, mark);
      else tr.replaceWith(link.from, link.to, schema.text(text, [mark]));
      tr.removeStoredMark(mark);
      return true;
    })
    .setTextSelection(text === '' ? link.to : link.from + text.length)
    .run();
}

export function removeLink(editor: Editor, { from, to }: LinkRange): void {
  editor.chain().focus().setTextSelection({ from, to }).unsetMark('link').setTextSelection(to).run();
}
