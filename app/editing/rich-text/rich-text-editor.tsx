import type { Editor } from '@tiptap/core';
import type { EditorProps } from '@tiptap/pm/view';
import { clsx } from 'clsx';
import { type RefObject, useDeferredValue, useEffect, useRef, useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { useAllowed } from '../../api/host/page-policy.ts';
import { useFieldProps } from '../../ui/field.tsx';
import { BubbleMenu } from './bubble-menu.tsx';
import type { Command } from './commands.ts';
import { ContextBar } from './context-bar.tsx';
import { createWordCounter } from './count-words.ts';
import { editorExtensions } from './extensions.ts';
import { FindBar } from './find-bar.tsx';
import { LinkBar } from './link-bar.tsx';
import { Outline } from './outline.tsx';
import { PictureTray } from './picture-tray.tsx';
import { type LoadedProps, TEXT_HEIGHT } from './rich-text-props.ts';
import './rich-text.css';
import { SlashMenu } from './slash-menu.tsx';
import { textAttributes } from './text-attributes.ts';
import { EditorToolbar } from './toolbar.tsx';
import { type FullScreen, useFullScreen } from './use-full-screen.ts';
import { type MarkdownEditor, useMarkdownEditor } from './use-markdown-editor.ts';
import { type Pictures, usePictures } from './use-pictures.ts';
import { useRichPaste } from './use-rich-paste.ts';

/** Renders the text with a toolbar, menus, a source view and a status line. */
export default function RichTextEditor({ choosePicture, ...props }: LoadedProps) {
  const { title, onBlur } = props;
  const root = useRef<HTMLDivElement>(null);
  const source = useRef<HTMLTextAreaElement>(null);
  const slashKeys = useRef<((key: string) => boolean) | null>(null);
  const [isSource, setSource] = useState(false);
  const [panel, setPanel] = useState<Panel | null>(null);
  const [message, setMessage] = useState('');
  const fullScreen = useFullScreen(root);
  const { isFull } = fullScreen;
  const { editor, mount, flush, pictures, paste } = useEditor(props, isSource, setMessage);
  useEditorProps(editor, title, paste, keyHandler({ editor, root, fullScreen, slashKeys, setPanel }));
  useFocusTarget(editor, props, source, isSource);
  const fieldProps = useFieldProps();

  const openLibrary = () => choosePicture(pictures.insert);
  const run = ({ action }: Command) => {
    setMessage('');
    if (typeof action === 'function') action(editor.chain().focus(), editor).scrollIntoView().run();
    else if (action === 'picture') openLibrary();
    else setPanel(action);
  };
  const closePanel = () => {
    setPanel(null);
    editor.commands.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape in any control leaves full screen
    <div
      ref={root}
      {...(isFull && { role: 'dialog', 'aria-modal': true, 'aria-label': `${title}, full screen` })}
      onBlur={onBlur}
      onKeyDown={(event) => {
        if (!isFull || event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        fullScreen.leave();
      }}
      className={clsx(
        'group/editor flex min-w-0 flex-col bg-surface',
        isFull ? 'fixed inset-0 z-40 h-dvh' : 'rich-frame rounded-md border border-line-strong',
        fieldProps['aria-invalid'] && 'border-danger',
      )}
    >
      {/* Stays in view as long as the text. */}
      <div className={clsx('rounded-t-md bg-surface', !isFull && 'sticky top-(--form-top,3.5rem) z-10 low:top-0')}>
        <EditorToolbar
          {...{ editor, isSource, isFull }}
          isOutlined={panel === 'outline'}
          onCommand={run}
          onMore={() => openSlashMenu(editor)}
          onOutline={() => setPanel(panel === 'outline' ? null : 'outline')}
          onFind={() => setPanel('find')}
          onSource={() => {
            flush();
            setPanel(null);
            setSource(!isSource);
          }}
          onFullScreen={() => {
            fullScreen.toggle();
            requestAnimationFrame(() => (source.current ?? editor.view.dom).focus());
          }}
        />
        {panel === 'outline' && <Outline editor={editor} onClose={closePanel} />}
        {panel === 'find' && <FindBar editor={editor} onClose={closePanel} />}
      </div>
      <TextFrame
        {...props}
        {...{ editor, mount, source, isSource, isFull, slashKeys }}
        onCloseLink={panel === 'link' && closePanel}
        onCommand={run}
        onPicture={openLibrary}
      />
      <StatusLine message={message} markdown={props.value} pictures={pictures} />
    </div>
  );
}

type Panel = 'find' | 'link' | 'outline';
type SlashKeys = RefObject<((key: string) => boolean) | null>;

/** Creates the editor with its pictures and paste handlers. Pictures of other sites load only after the user agrees. */
function useEditor(
  { value, onChange }: Pick<LoadedProps, 'value' | 'onChange'>,
  isPaused: boolean,
  showMessage: (message: string) => void,
) {
  const isAllowed = useAllowed('pictures');
  const [unloaded] = useState(() => new Set<string>());
  const markdownEditor = useMarkdownEditor({
    value,
    onChange,
    isPaused,
    options: () => ({
      extensions: editorExtensions({ isAllowed: (url) => isAllowed(url) && !unloaded.has(url) }),
    }),
  });
  const pictures = usePictures(markdownEditor.editor, unloaded, showMessage);
  return { ...markdownEditor, pictures, paste: useRichPaste(markdownEditor.editor, pictures, showMessage) };
}

interface KeyHandlerOptions {
  editor: Editor;
  root: RefObject<HTMLElement | null>;
  fullScreen: FullScreen;
  slashKeys: SlashKeys;
  setPanel: (panel: Panel) => void;
}

/** Returns a handler of the keys that no extension handles. The handler returns whether it handled the key. */
function keyHandler({ editor, root, fullScreen, slashKeys, setPanel }: KeyHandlerOptions) {
  return (event: KeyboardEvent): boolean => {
    if (slashKeys.current?.(event.key)) return true;
    if (event.altKey && event.key === 'F10') {
      root.current?.querySelector<HTMLElement>('[role=toolbar] [tabindex="0"]')?.focus();
      return true;
    }
    // ProseMirror prevents the default action of Escape, so the handler of the root would ignore the key.
    if (event.key === 'Escape' && fullScreen.isFull) {
      fullScreen.leave();
      requestAnimationFrame(() => editor.commands.focus());
      return true;
    }
    if (!(event.ctrlKey || event.metaKey)) return false;
    const key = event.key.toLowerCase();
    if (key === 'k' && !event.shiftKey) setPanel('link');
    else if (key === 'h' && event.shiftKey) setPanel('find');
    else return false;
    return true;
  };
}

/** Passes the current attributes and handlers to ProseMirror after each render. */
function useEditorProps(
  editor: Editor,
  title: string,
  paste: EditorProps,
  onKey: (event: KeyboardEvent) => boolean,
): void {
  const fieldProps = useFieldProps();
  useEffect(() => {
    editor.setOptions({
      editorProps: {
        attributes: textAttributes(title, fieldProps),
        // Room for the sticky toolbar and the save bar.
        scrollThreshold: { top: 120, bottom: 90, left: 0, right: 0 },
        scrollMargin: { top: 130, bottom: 100, left: 0, right: 0 },
        handleKeyDown: (_view, event) => !event.isComposing && onKey(event),
        ...paste,
      },
    });
  });
}

/** Lets the form focus the text, and takes over the focus and the typed text of the preview. */
function useFocusTarget(
  editor: Editor,
  { inputRef, typed }: Pick<LoadedProps, 'inputRef' | 'typed'>,
  source: RefObject<HTMLTextAreaElement | null>,
  isSource: boolean,
): void {
  useEffect(() => {
    if (isSource) source.current?.focus();
  }, [isSource, source]);
  useEffect(() => {
    inputRef({ focus: () => (source.current ?? editor.view.dom).focus() });
    if (typed.current !== null) editor.chain().focus().insertContent(typed.current).run();
    typed.current = null;
    return () => inputRef(null);
  }, [editor, inputRef, typed, source]);
}

interface TextFrameProps extends Omit<LoadedProps, 'choosePicture'> {
  editor: Editor;
  mount: MarkdownEditor['mount'];
  source: RefObject<HTMLTextAreaElement | null>;
  slashKeys: SlashKeys;
  isSource: boolean;
  isFull: boolean;
  /** False if the link form is closed. */
  onCloseLink: (() => void) | false;
  onCommand: (command: Command) => void;
  onPicture: () => void;
}

/** Renders the text with its menus, or its Markdown source. */
function TextFrame(props: TextFrameProps) {
  const { title, value, onChange, editor, mount, source, slashKeys, isSource, isFull, onCloseLink } = props;
  const height = isFull ? 'h-full' : TEXT_HEIGHT;
  const fieldProps = useFieldProps();
  return (
    <div className={clsx('relative min-w-0', isFull && 'min-h-0 flex-1')}>
      {isSource ? (
        <textarea
          ref={source}
          {...fieldProps}
          aria-label={title}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={clsx(
            'block field-sizing-content w-full resize-y bg-transparent px-4 py-3 font-mono text-sm leading-relaxed focus-visible:-outline-offset-2 sm:px-6',
            height,
          )}
        />
      ) : (
        <ContextBar editor={editor} onPicture={props.onPicture} />
      )}
      <div
        ref={mount}
        hidden={isSource}
        className={clsx('rich-text overflow-y-auto', height, isFull ? 'rich-full' : 'sm:resize-y')}
      >
        {isFull && <FullScreenTitle />}
      </div>
      {!isSource && (
        <>
          <SlashMenu editor={editor} keys={slashKeys} onCommand={props.onCommand} />
          {onCloseLink ? (
            <LinkBar editor={editor} onClose={onCloseLink} />
          ) : (
            <BubbleMenu editor={editor} onCommand={props.onCommand} />
          )}
        </>
      )}
    </div>
  );
}

/** Edits the title of the form, if it has one, above the text. */
function FullScreenTitle() {
  const { setValue } = useFormContext();
  const title: unknown = useWatch({ name: 'title' });
  if (typeof title !== 'string') return null;
  return (
    <div className="px-[max(1rem,(100%-68ch)/2)] pt-[clamp(1.25rem,6dvh,4rem)]">
      <textarea
        aria-label="Title"
        placeholder="Title"
        rows={1}
        value={title}
        onChange={(event) => setValue('title', event.target.value.replaceAll('\n', ''), { shouldDirty: true })}
        className="field-sizing-content w-full resize-none bg-transparent text-display-2 focus-visible:outline-none"
      />
    </div>
  );
}

function StatusLine({ message, markdown, pictures }: { message: string; markdown: string; pictures: Pictures }) {
  return (
    <div className="grid min-w-0">
      <div className="flex flex-wrap items-start justify-between gap-x-4 px-3.5 pt-1.5 pb-2">
        <p role="status" className="text-sm text-muted">
          {message}
        </p>
        <WordCount markdown={markdown} />
      </div>
      <PictureTray pictures={pictures} />
    </div>
  );
}

/** Starts a command search, in a new paragraph if the current block has text. */
function openSlashMenu(editor: Editor): void {
  const { $from } = editor.state.selection;
  const isEmpty = $from.parent.type.name === 'paragraph' && $from.parent.content.size === 0;
  const chain = editor.chain().focus();
  (isEmpty ? chain : chain.insertContentAt($from.after(1), { type: 'paragraph' })).insertContent('/').run();
}

/** Shows '1,234 words, 5 min read'. */
function WordCount({ markdown }: { markdown: string }) {
  const [countWords] = useState(createWordCounter);
  const { words, minutes } = countWords(useDeferredValue(markdown));
  return (
    <p className="shrink-0 text-sm text-muted tabular-nums">
      {words === 1 ? '1 word' : `${words.toLocaleString('en-GB')} words`}
      {minutes > 0 && <span> &middot; {minutes} min read</span>}
    </p>
  );
}
