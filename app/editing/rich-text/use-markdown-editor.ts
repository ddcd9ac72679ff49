import { Editor, type EditorOptions } from '@tiptap/core';
import type { Schema } from '@tiptap/pm/model';
import { EditorState } from '@tiptap/pm/state';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type MarkdownDocument, openMarkdown } from './markdown/markdown-document.ts';

/** Delay after typing before the Markdown is written. */
const PAUSE_MS = 150;

interface MarkdownEditorOptions {
  value: string;
  onChange: (markdown: string) => void;
  options: () => Partial<EditorOptions>;
  /** Reads and writes the value. Defaults to Markdown. */
  open?: (schema: Schema, text: string) => MarkdownDocument;
  /** True while the Markdown is edited elsewhere. */
  isPaused: boolean;
}

export interface MarkdownEditor {
  editor: Editor;
  /** Ref of the element that holds the text. */
  mount: (element: HTMLElement | null) => (() => void) | undefined;
  /** Writes pending changes to the form. */
  flush: () => void;
}

/** Editor whose document is bound to a Markdown value. The value is written when typing pauses and when it is needed. */
export function useMarkdownEditor(props: MarkdownEditorOptions): MarkdownEditor {
  const { value, onChange, options, isPaused, open = openMarkdown } = props;
  const [editor] = useState(() => new Editor({ element: null, injectCSS: false, ...options() }));
  const markdownDocument = useRef<MarkdownDocument>(null);
  const lastMarkdown = useRef<string>(null);
  const timer = useRef(0);
  const report = useRef(onChange);
  report.current = onChange;

  const flush = useCallback(() => {
    if (timer.current === 0 || !markdownDocument.current) return;
    window.clearTimeout(timer.current);
    timer.current = 0;
    const written = markdownDocument.current.write(editor.state.doc);
    if (written === lastMarkdown.current) return;
    lastMarkdown.current = written;
    report.current(written);
  }, [editor]);

  const mount = useCallback(
    (element: HTMLElement | null) => {
      if (!element) return;
      editor.mount(element);
      return () => editor.unmount();
    },
    [editor],
  );

  // The form can replace the value: by a reset, an older version, a merge or restored work.
  useEffect(() => {
    if (isPaused || value === lastMarkdown.current) return;
    window.clearTimeout(timer.current);
    timer.current = 0;
    lastMarkdown.current = value;
    markdownDocument.current = open(editor.schema, value);
    const { doc } = markdownDocument.current;
    const { plugins } = editor.state;
    editor.view.updateState(EditorState.create({ doc, plugins }));
    editor.emit('transaction', { editor, transaction: editor.state.tr, appendedTransactions: [] });
  }, [editor, value, isPaused, open]);

  useEffect(() => {
    const schedule = () => {
      window.clearTimeout(timer.current);
      timer.current = window.setTimeout(flush, PAUSE_MS);
    };
    editor.on('update', schedule);
    editor.on('blur', flush);
    // Listens in the capture phase, so that the form reads the current value.
    const events = ['submit', 'pagehide', 'visibilitychange'];
    for (const event of events) window.addEventListener(event, flush, true);
    return () => {
      flush();
      editor.off('update', schedule);
      editor.off('blur', flush);
      for (const event of events) window.removeEventListener(event, flush, true);
    };
  }, [editor, flush]);

  return { editor, mount, flush };
}
