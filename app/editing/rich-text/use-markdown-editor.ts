import { Editor, type EditorOptions } from '@tiptap/core';
import type { Node, Schema } from '@tiptap/pm/model';
import { EditorState } from '@tiptap/pm/state';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { type MarkdownDocument, openMarkdown } from './markdown/markdown-document.ts';

/** Delay after typing before the Markdown is written. */
const DEBOUNCE_MS = 500;

/** Maximum time for parsing a part of a long text before the page reacts to input. */
const PARSE_BUDGET_MS = 50;

/** The extension `delete` would apply each transaction a second time to find deleted nodes. */
const FIXED_OPTIONS = { element: null, injectCSS: false, enableCoreExtensions: { delete: false } } as const;

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

/** Creates an editor for a Markdown value. Writes the value when typing pauses and before the form reads it. */
export function useMarkdownEditor(props: MarkdownEditorOptions): MarkdownEditor {
  const { value, onChange, options, isPaused, open = openMarkdown } = props;
  const [editor] = useState(() => new Editor({ ...FIXED_OPTIONS, ...options() }));
  const markdownDocument = useRef<MarkdownDocument>(null);
  const lastMarkdown = useRef<string>(null);
  const timer = useRef(0);
  const latestOnChange = useRef(onChange);
  latestOnChange.current = onChange;

  const readMore = useReadMore(editor, markdownDocument);
  const readAll = useCallback(() => void readMore(Number.POSITIVE_INFINITY), [readMore]);

  const flush = useCallback(() => {
    if (timer.current === 0 || !markdownDocument.current) return;
    readAll();
    window.clearTimeout(timer.current);
    timer.current = 0;
    const markdown = markdownDocument.current.write(editor.state.doc);
    if (markdown === lastMarkdown.current) return;
    lastMarkdown.current = markdown;
    latestOnChange.current(markdown);
  }, [editor, readAll]);

  const mount = useCallback(
    (element: HTMLElement | null) => {
      if (!element) return;
      editor.mount(element);
      // React would walk the whole text before each of its commits, to restore a caret that ProseMirror restores itself.
      Object.defineProperty(editor.view.dom, 'contentEditable', { value: 'inherit' });
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
    const opened = open(editor.schema, value);
    markdownDocument.current = opened;
    const { doc } = opened;
    const { plugins } = editor.state;
    editor.view.updateState(EditorState.create({ doc, plugins }));
    editor.emit('transaction', { editor, transaction: editor.state.tr, appendedTransactions: [] });
    // Shows the start of a long text before the rest is parsed.
    const continueReading = () => {
      if (!editor.isDestroyed && markdownDocument.current === opened && readMore(PARSE_BUDGET_MS))
        window.setTimeout(continueReading);
    };
    window.setTimeout(continueReading);
  }, [editor, value, isPaused, open, readMore]);

  useEffect(() => {
    const schedule = () => {
      window.clearTimeout(timer.current);
      timer.current = window.setTimeout(flush, DEBOUNCE_MS);
    };
    editor.on('update', schedule);
    editor.on('blur', flush);
    // Commands and selections can affect the whole text.
    editor.on('focus', readAll);
    editor.on('selectionUpdate', readAll);
    // Listens in the capture phase, so that the form reads the current value.
    const events = ['submit', 'pagehide', 'visibilitychange'];
    for (const event of events) window.addEventListener(event, flush, true);
    return () => {
      flush();
      editor.off('update', schedule);
      editor.off('blur', flush);
      editor.off('focus', readAll);
      editor.off('selectionUpdate', readAll);
      for (const event of events) window.removeEventListener(event, flush, true);
    };
  }, [editor, flush, readAll]);

  return { editor, mount, flush };
}

/** Returns a function that loads more of a long text within a time budget, and returns false at the end of the text. */
function useReadMore(editor: Editor, markdownDocument: RefObject<MarkdownDocument | null>) {
  return useCallback(
    (budgetMs: number): boolean => {
      const end = performance.now() + budgetMs;
      const nodes: Node[] = [];
      let part: Node[] | undefined;
      do {
        part = markdownDocument.current?.readMore?.();
        nodes.push(...(part ?? []));
      } while (part && performance.now() < end);
      if (nodes.length === 0) return false;
      const { tr } = editor.state;
      tr.insert(tr.doc.content.size, nodes).setMeta('addToHistory', false);
      editor.view.dispatch(tr.setMeta('preventUpdate', true).setMeta('skipTrailingNode', true));
      return true;
    },
    [editor, markdownDocument],
  );
}
