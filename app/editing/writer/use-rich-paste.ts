import { type ClipboardEvent, type RefObject, useRef } from 'react';
import { whenIdle } from '../../ui/lib/when-idle.ts';
import { applyEdit, type Edit, insertBlock, type Passage } from './markdown-edits.ts';
import type { PastedPicture } from './paste/paste.ts';
import { performEdit } from './perform-edit.ts';

interface RichPaste {
  /** Loads what a paste will need. */
  prepare: () => void;
  /** Takes a paste with formatting. False: the paste is the browser's. */
  take: (event: ClipboardEvent<HTMLTextAreaElement>) => boolean;
  /** Call it with every key, so that Ctrl+Shift+V stays plain in each browser. */
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
  /** Called with the pictures of other places that are in the text now. */
  onPictures: (pictures: readonly PastedPicture[]) => void;
}

/**
 * Pastes formatted text as Markdown. The plain text goes in first and the Markdown replaces it, so that one Undo gives the
 * plain text back.
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
      return tell('Pasted without formatting, because a part of this page could not be loaded.');
    }
    const converted = convertSafely(() =>
      htmlToMarkdown(html, plain, { origin: window.location.origin, into: before.text }),
    );
    if (converted === 'refused') return tell('Pasted without formatting, because its markup could not be read.');
    if (!converted || !area.current) return;
    // Text that was typed meanwhile is kept.
    if (area.current.value !== pasted) return tell('Pasted without formatting, because the text changed meanwhile.');
    performEdit(area.current, replacement(before, plain, converted.markdown));
    tell('Pasted as Markdown. Undo gives the plain text.');
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
      // Editors of code copy their colours as HTML.
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

/** Loaded by nobody but writers: see docs/decisions/editing.md. */
function loadConverter() {
  return import('./paste/html-to-markdown.ts');
}

/** Markup can be nested deeper than the stack allows. */
function convertSafely<Result>(convert: () => Result): Result | 'refused' {
  try {
    return convert();
  } catch (error) {
    if (error instanceof RangeError) return 'refused';
    throw error;
  }
}

/** Returns the edit that puts the Markdown where the plain text went: within the line, or on lines of its own. */
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
  // Word and web pages end a paragraph with a line break; what follows stays on its own line.
  const insert = markdown + (/\n+$/.exec(plain)?.[0] ?? '');
  const caret = passage.start + insert.length;
  return { from: passage.start, to: passage.end, insert, selectFrom: caret, selectTo: caret };
}
