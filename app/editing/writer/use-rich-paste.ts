import { type ClipboardEvent, type RefObject, useRef } from 'react';
import { whenIdle } from '../../ui/lib/when-idle.ts';
import { applyEdit, type Edit, insertBlock, type Passage } from './markdown-edits.ts';
import type { PastedPicture } from './paste/paste.ts';
import { performEdit } from './perform-edit.ts';

interface RichPaste {
  /** Preloads the converter. */
  prepare: () => void;
  /** Handles a formatted paste. False for the browser's default. */
  take: (event: ClipboardEvent<HTMLTextAreaElement>) => boolean;
  /** Call on every key, so that Ctrl+Shift+V pastes plain text in every browser. */
  onKeyDown: (event: KeyPress) => void;
}

interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
}

interface RichPasteOptions {
  tell: (message: string) => void;
  /** Called with the pictures from elsewhere in the text. */
  onPictures: (pictures: readonly PastedPicture[]) => void;
}

/**
 * Pastes formatted text as Markdown. The plain text is inserted first and then replaced, so that a single undo restores
 * it.
 */
export function useRichPaste(
  area: RefObject<HTMLTextAreaElement | null>,
  { tell, onPictures }: RichPasteOptions,
): RichPaste {
  const wantsPlain = useRef(false);

  const convert = async (html: string, before: Passage, plain: string) => {
    const pasted = before.text.slice(0, before.start) + plain + before.text.slice(before.end);
    let htmlToMarkdown: Awaited<ReturnType<typeof loadConverter>>['htmlToMarkdown'];
    try {
      ({ htmlToMarkdown } = await loadConverter());
    } catch {
      return tell('Pasted without formatting because part of this page could not be loaded.');
    }
    const converted = convertSafely(() =>
      htmlToMarkdown(html, plain, { origin: window.location.origin, into: before.text }),
    );
    if (converted === 'refused') return tell('Pasted without formatting because its markup could not be read.');
    if (!converted || !area.current) return;
    // Keep text typed in the meantime.
    if (area.current.value !== pasted)
      return tell('Pasted without formatting because the text has changed in the meantime.');
    performEdit(area.current, replacement(before, plain, converted.markdown));
    tell('Pasted as Markdown. Undo restores the plain text.');
    if (converted.pictures.length > 0) onPictures(converted.pictures);
  };

  return {
    prepare: () => {
      whenIdle(() => void loadConverter().catch(() => undefined));
    },
    onKeyDown: ({ key, ctrlKey, metaKey, shiftKey }) => {
      wantsPlain.current = (ctrlKey || metaKey) && shiftKey && key.toLowerCase() === 'v';
    },
    take: (event) => {
      const { clipboardData, currentTarget: element } = event;
      const html = clipboardData.getData('text/html');
      const plain = clipboardData.getData('text/plain').replace(/\r\n?/g, '\n');
      // Code editors copy syntax highlighting as HTML.
      const isCode = clipboardData.types.includes('vscode-editor-data');
      if (wantsPlain.current || isCode || !html || !plain) return false;
      const before = { text: element.value, start: element.selectionStart, end: element.selectionEnd };
      const caret = before.start + plain.length;
      performEdit(element, { from: before.start, to: before.end, insert: plain, selectFrom: caret, selectTo: caret });
      void convert(html, before, plain);
      return true;
    },
  };
}

/** Loaded only by writers. See docs/decisions/editing.md. */
function loadConverter() {
  return import('./paste/html-to-markdown.ts');
}

/** The nesting can exceed the stack. */
function convertSafely<Result>(convert: () => Result): Result | 'refused' {
  try {
    return convert();
  } catch (error) {
    if (error instanceof RangeError) return 'refused';
    throw error;
  }
}

/** Edit that replaces the plain text by Markdown, inline or on its own lines. */
export function replacement(before: Passage, plain: string, markdown: string): Edit {
  const pasted = applyEdit(before.text, {
    from: before.start,
    to: before.end,
    insert: plain,
    selectFrom: 0,
    selectTo: 0,
  });
  const passage = { text: pasted, start: before.start, end: before.start + plain.length };
  const isBlock = markdown.includes('\n') || /^(#{1,6} |[-*+] |\d+\. |> |```|---$)/.test(markdown);
  if (isBlock) return insertBlock(passage, markdown);
  // Word and web pages end a paragraph with a line break. Keep the following text on its own line.
  const insert = markdown + (/\n+$/.exec(plain)?.[0] ?? '');
  const caret = passage.start + insert.length;
  return { from: passage.start, to: passage.end, insert, selectFrom: caret, selectTo: caret };
}
