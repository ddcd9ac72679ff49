import { Fragment, Slice } from '@tiptap/pm/model';
import type { EditorProps } from '@tiptap/pm/view';
import { StarterKit } from '@tiptap/starter-kit';
import { clsx } from 'clsx';
import { useEffect } from 'react';
import { CONTROL_CLASS } from '../../ui/control-class.ts';
import { useFieldProps } from '../../ui/field.tsx';
import '../rich-text/rich-text.css';
import { textAttributes } from '../rich-text/text-attributes.ts';
import { useMarkdownEditor } from '../rich-text/use-markdown-editor.ts';
import { MergeField, openMergeText, readLines } from './merge-field.ts';
import type { LoadedProps } from './merge-text-props.ts';

const PLAIN = StarterKit.extend({
  addExtensions() {
    return this.parent?.().filter(({ name }) => ['doc', 'paragraph', 'text', 'undoRedo'].includes(name)) ?? [];
  },
});

/** Renders the editor that replaces the text area of MergeText. */
export default function MergeTextEditor(props: LoadedProps) {
  const { title, value, onChange, onBlur, inputRef, hasInitialFocus, hasFocus } = props;
  const { editor, mount } = useMarkdownEditor({
    value,
    onChange,
    isPaused: false,
    open: openMergeText,
    options: () => ({
      extensions: [PLAIN, MergeField],
      coreExtensionOptions: { clipboardTextSerializer: { blockSeparator: '\n' } },
    }),
  });
  const fieldProps = useFieldProps();
  useEffect(() => {
    editor.setOptions({
      editorProps: {
        ...PASTE,
        handleDOMEvents: { ...PASTE.handleDOMEvents, blur: onBlur },
        attributes: {
          ...textAttributes(title, fieldProps),
          class: clsx(CONTROL_CLASS, 'rich-merge max-h-[70vh] min-h-64 overflow-y-auto py-2.5'),
          ...(hasInitialFocus && { 'data-initial-focus': 'true' }),
        },
      },
    });
  });
  useEffect(() => {
    inputRef({ focus: () => editor.view.dom.focus() });
    if (hasFocus.current) editor.commands.focus('end');
    hasFocus.current = false;
    return () => inputRef(null);
  }, [editor, inputRef, hasFocus]);
  return <div ref={mount} />;
}

const PASTE: EditorProps = {
  handleDOMEvents: {
    // Clean the HTML before ProseMirror parses it, because inline styles violate the content security policy.
    paste: ({ state, dispatch }, event) => {
      const text = event.clipboardData?.getData('text/plain').replace(/\r\n?/g, '\n');
      event.preventDefault();
      if (text) {
        const lines = readLines(state.schema, text);
        dispatch(state.tr.replaceSelection(new Slice(Fragment.from(lines), 1, 1)).scrollIntoView());
      }
      return true;
    },
  },
  transformPastedHTML: (html) => html.replace(/\sstyle="[^"]*"/g, ''),
};
