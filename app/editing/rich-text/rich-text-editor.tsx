import type { Editor } from '@tiptap/core';
import { clsx } from 'clsx';
import { useDeferredValue, useEffect, useRef, useState } from 'react';
import { useAllowed } from '../../api/host/page-policy.ts';
import { useFieldProps } from '../../ui/field.tsx';
import { BubbleMenu } from './bubble-menu.tsx';
import type { Command } from './commands.ts';
import { ContextBar } from './context-bar.tsx';
import { countWords } from './count-words.ts';
import { editorExtensions } from './extensions.ts';
import { FindBar } from './find-bar.tsx';
import { LinkBar } from './link-bar.tsx';
import { PictureTray } from './picture-tray.tsx';
import type { LoadedProps } from './rich-text-props.ts';
import './rich-text.css';
import { SlashMenu } from './slash-menu.tsx';
import { EditorToolbar } from './toolbar.tsx';
import { useFullScreen } from './use-full-screen.ts';
import { useMarkdownEditor } from './use-markdown-editor.ts';
import { usePictures } from './use-pictures.ts';
import { useRichPaste } from './use-rich-paste.ts';

/** Text with toolbar, menus, source view and status line. */
export default function RichTextEditor({
  title,
  value,
  onChange,
  onBlur,
  inputRef,
  choosePicture,
  typed,
}: LoadedProps) {
  const root = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const source = useRef<HTMLTextAreaElement>(null);
  const keys = useRef<((event: KeyboardEvent) => boolean) | null>(null);
  const slashKeys = useRef<((key: string) => boolean) | null>(null);
  const [isSource, setSource] = useState(false);
  const [panel, setPanel] = useState<'find' | 'link' | null>(null);
  const [message, setMessage] = useState('');
  const fullScreen = useFullScreen(root);
  const isAllowed = useAllowed('pictures');
  const fieldProps = useFieldProps();
  const [unloaded] = useState(() => new Set<string>());
  const { editor, mount, flush } = useMarkdownEditor({
    value,
    onChange,
    isPaused: isSource,
    options: () => ({
      extensions: editorExtensions({ isAllowed: (address) => isAllowed(address) && !unloaded.has(address) }),
    }),
  });
  const pictures = usePictures(editor, unloaded, setMessage);
  const paste = useRichPaste(editor, pictures, setMessage);

  keys.current = (event) => {
    if (slashKeys.current?.(event.key)) return true;
    if (event.altKey && event.key === 'F10') {
      root.current?.querySelector<HTMLElement>('[role=toolbar] [tabindex="0"]')?.focus();
      return true;
    }
    // ProseMirror prevents the default of Escape, so the handler of the root would ignore it.
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
  useEffect(() => {
    editor.setOptions({
      editorProps: {
        attributes: textAttributes(title, fieldProps),
        handleKeyDown: (_view, event) => !event.isComposing && (keys.current?.(event) ?? false),
        ...paste,
      },
    });
  });
  useEffect(() => {
    inputRef({ focus: () => (source.current ?? editor.view.dom).focus() });
    if (typed.current !== null) editor.chain().focus().insertContent(typed.current).run();
    typed.current = null;
    return () => inputRef(null);
  }, [editor, inputRef, typed]);

  useEffect(() => {
    if (isSource) source.current?.focus();
  }, [isSource]);

  const run = ({ does }: Command) => {
    setMessage('');
    if (typeof does === 'function') does(editor.chain().focus(), editor).scrollIntoView().run();
    else if (does === 'picture') choosePicture(pictures.insert);
    else setPanel(does);
  };
  const closePanel = () => {
    setPanel(null);
    editor.commands.focus();
  };
  const { isFull } = fullScreen;
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
        'grid min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto] bg-surface',
        isFull ? 'fixed inset-0 z-40 h-dvh' : 'rounded-md border border-line-strong',
        fieldProps['aria-invalid'] && 'border-danger',
      )}
    >
      <div>
        <EditorToolbar
          editor={editor}
          onCommand={run}
          onMore={() => openSlashMenu(editor)}
          onFind={() => setPanel('find')}
          isSource={isSource}
          onSource={() => {
            flush();
            setPanel(null);
            setSource(!isSource);
          }}
          isFull={isFull}
          onFullScreen={() => {
            fullScreen.toggle();
            requestAnimationFrame(() => (source.current ?? editor.view.dom).focus());
          }}
        />
        {!isSource && <ContextBar editor={editor} onPicture={() => choosePicture(pictures.insert)} />}
        {panel === 'find' && <FindBar editor={editor} onClose={closePanel} />}
        {panel === 'link' && <LinkBar editor={editor} onClose={closePanel} />}
      </div>
      <div ref={frame} className={clsx('relative min-w-0', isFull && 'min-h-0')}>
        {isSource && (
          <textarea
            ref={source}
            {...fieldProps}
            aria-label={title}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            className={clsx(
              'block w-full resize-y bg-transparent px-4 py-3 font-mono text-sm leading-relaxed focus-visible:-outline-offset-2 sm:px-6',
              isFull ? 'h-full' : 'h-[30rem]',
            )}
          />
        )}
        <div
          ref={mount}
          hidden={isSource}
          className={clsx('rich-text overflow-y-auto', isFull ? 'h-full' : 'h-[30rem] resize-y')}
        />
        {!isSource && (
          <>
            <SlashMenu editor={editor} frame={frame} keys={slashKeys} onCommand={run} />
            <BubbleMenu editor={editor} frame={frame} onCommand={run} />
          </>
        )}
      </div>
      <div className="grid min-w-0">
        <div className="flex flex-wrap items-start justify-between gap-x-4 px-3.5 pt-1.5 pb-2">
          <p role="status" className="text-sm text-muted">
            {message}
          </p>
          <Length markdown={value} />
        </div>
        <PictureTray pictures={pictures} />
      </div>
    </div>
  );
}

function textAttributes(title: string, fieldProps: ReturnType<typeof useFieldProps>): Record<string, string> {
  const attributes = { ...fieldProps, role: 'textbox', 'aria-multiline': true, 'aria-label': title };
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

/** Starts a command search, in a new paragraph if the current block has text. */
function openSlashMenu(editor: Editor): void {
  const { $from } = editor.state.selection;
  const isEmpty = $from.parent.type.name === 'paragraph' && $from.parent.content.size === 0;
  const chain = editor.chain().focus();
  if (isEmpty) chain.insertContent('/').run();
  else
    chain
      .insertContentAt($from.after(1), { type: 'paragraph', content: [{ type: 'text', text: '/' }] })
      .setTextSelection($from.after(1) + 2)
      .run();
}

/** Shows '1,234 words, 5 min read'. */
function Length({ markdown }: { markdown: string }) {
  const { words, minutes } = countWords(useDeferredValue(markdown));
  return (
    <p className="shrink-0 text-sm text-muted tabular-nums">
      {words === 1 ? '1 word' : `${words.toLocaleString('en-GB')} words`}
      {minutes > 0 && <span> &middot; {minutes} min read</span>}
    </p>
  );
}
