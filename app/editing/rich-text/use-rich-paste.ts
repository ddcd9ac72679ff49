import type { Editor } from '@tiptap/core';
import { closeHistory } from '@tiptap/pm/history';
import { Fragment, type Node, Slice } from '@tiptap/pm/model';
import type { EditorProps } from '@tiptap/pm/view';
import { useRef } from 'react';
import { useFormContext } from 'react-hook-form';
import { numbersIn } from './commands.ts';
import { readMarkdown } from './markdown/read-markdown.ts';
import type { Pictures } from './use-pictures.ts';

/**
 * Returns the paste and drop handlers, which convert formatted text to the formatting that Markdown supports and upload
 * files.
 */
export function useRichPaste(editor: Editor, pictures: Pictures, showMessage: (message: string) => void): EditorProps {
  const isPlain = useRef(false);
  const { getValues } = useFormContext<{ title?: string }>();

  const convert = async (html: string, plainText: string) => {
    const { from, to } = editor.state.selection;
    try {
      const { htmlToMarkdown, parseHtml } = await import('./paste/html-to-markdown.ts');
      const converted = htmlToMarkdown({ html, root: parseHtml(html) }, plainText, {
        schema: editor.schema,
        origin: window.location.origin,
        used: numbersIn(editor.state.doc),
      });
      if (converted && converted.pictures.length > 0) pictures.list(converted.pictures);
      insertMarkdown(editor, converted?.markdown ?? plainText, { from, to }, getValues('title'));
    } catch (error) {
      // Loading the code may fail, and deep nesting can overflow the stack.
      insertText(editor, plainText, { from, to });
      showMessage(
        `Pasted without formatting because ${error instanceof RangeError ? 'its markup could not be read' : 'part of this page could not be loaded'}.`,
      );
    }
  };

  const handlePaste = (clipboardData: DataTransfer): boolean => {
    const html = clipboardData.getData('text/html');
    const plainText = clipboardData.getData('text/plain').replace(/\r\n?/g, '\n');
    const files = mediaFiles(clipboardData);
    const { selection } = editor.state;
    if (isPlain.current || selection.$from.parent.type.spec.code) {
      insertText(editor, plainText, selection);
      return true;
    }
    // ProseMirror handles content that was copied from this editor.
    if (html.includes('data-pm-slice')) return false;
    if (!selection.empty && /^https?:\/\/\S+$/.test(plainText))
      return editor.commands.setMark('link', { href: plainText });
    // Code editors copy syntax highlighting as HTML.
    const isCode = clipboardData.types.includes('vscode-editor-data');
    if (html && plainText && !isCode) void convert(html, plainText);
    else if (files.length > 0) pictures.upload(files, selection.from);
    else if (plainText) insertMarkdown(editor, plainText, selection);
    else if (html) void convert(html, plainText);
    return true;
  };

  return {
    handleDOMEvents: {
      keydown: (_view, { key, ctrlKey, metaKey, shiftKey }) => {
        isPlain.current = (ctrlKey || metaKey) && shiftKey && key.toLowerCase() === 'v';
      },
      // Handle the paste before ProseMirror parses the HTML.
      paste: (_view, event) => {
        const isHandled = event.clipboardData !== null && handlePaste(event.clipboardData);
        // The context menu of the browser pastes without a key press.
        isPlain.current = false;
        if (isHandled) event.preventDefault();
        return isHandled;
      },
    },
    // The content was copied from this editor, or dropped. Inline styles violate the content security policy even while
    // parsing.
    transformPastedHTML: (html) =>
      html.replace(/\sstyle="(?:text-align: (\w+))?[^"]*"/g, (_, align) => (align ? ` align="${align}"` : '')),
    handleDrop: (view, event, _slice, isMoved) => {
      const files = event.dataTransfer ? mediaFiles(event.dataTransfer) : [];
      if (isMoved || files.length === 0) return false;
      const position = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos;
      pictures.upload(files, position ?? view.state.selection.from);
      return true;
    },
  };
}

function mediaFiles({ files }: DataTransfer): File[] {
  return [...files].filter(({ type }) => /^(image|video)\//.test(type));
}

interface Range {
  from: number;
  to: number;
}

function insertText(editor: Editor, text: string, { from, to }: Range): void {
  const { schema, tr } = editor.state;
  const isCode = editor.state.selection.$from.parent.type.spec.code === true;
  const lines = isCode ? [text] : text.split(/\n+/);
  const paragraphs = lines.map((line) => schema.node('paragraph', null, line ? [schema.text(line)] : []));
  const slice = isCode ? new Slice(Fragment.from(schema.text(text)), 0, 0) : new Slice(Fragment.from(paragraphs), 1, 1);
  editor.view.dispatch(closeHistory(tr.replaceRange(from, to, slice).scrollIntoView()));
}

/**
 * Inserts Markdown as one undo step. A single paragraph joins the text around it. The title of the item is omitted,
 * because the page shows it above the text.
 */
function insertMarkdown(editor: Editor, markdown: string, { from, to }: Range, title?: string): void {
  const { schema, tr } = editor.state;
  const nodes = readMarkdown(schema, markdown).map(({ node }) => node);
  const [firstNode, secondNode] = nodes;
  if (secondNode && firstNode?.attrs['level'] === 1 && firstNode.textContent.trim() === title?.trim()) nodes.shift();
  const openDepth = (node: Node | undefined) => (node?.type.name === 'paragraph' ? 1 : 0);
  const slice = new Slice(Fragment.from(nodes), openDepth(nodes[0]), openDepth(nodes.at(-1)));
  editor.view.dispatch(closeHistory(tr.replaceRange(from, to, slice).scrollIntoView()));
}
