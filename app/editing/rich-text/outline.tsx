import type { Editor } from '@tiptap/core';
import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { useEditorState } from './use-editor-state.ts';

interface OutlineProps {
  editor: Editor;
  onClose: () => void;
}

const INDENTS = ['pl-2.5', 'pl-2.5', 'pl-6', 'pl-10'];

/** Lists the headings of the text. Each button moves the caret to its heading. */
export function Outline({ editor, onClose }: OutlineProps) {
  const { headings, current } = useEditorState(editor, outlineOf);
  return (
    <nav
      aria-label="Outline"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // Escape would leave full screen.
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
      className="flex items-start gap-2 border-b border-line bg-sunken px-1.5 py-1.5"
    >
      {headings.length === 0 ? (
        <p className="flex-1 self-center px-2.5 text-sm text-muted">
          Headings of the text appear here. Type ## at the start of a line to add one.
        </p>
      ) : (
        <ol className="grid max-h-48 flex-1 overflow-y-auto">
          {headings.map(({ text, level, position }, index) => (
            <li key={position} className="min-w-0">
              <button
                type="button"
                aria-current={index === current || undefined}
                onClick={() => editor.chain().focus(position).scrollIntoView().run()}
                className={clsx(
                  'w-full truncate rounded-sm py-1.5 pr-2.5 text-left text-sm hover:bg-line/60 focus-visible:-outline-offset-2',
                  INDENTS[level] ?? 'pl-14',
                  index === current ? 'font-medium text-ink' : 'text-muted',
                )}
              >
                {text || 'Empty heading'}
              </button>
            </li>
          ))}
        </ol>
      )}
      <Button variant="ghost" size="icon" aria-label="Close outline" onClick={onClose}>
        <X aria-hidden="true" />
      </Button>
    </nav>
  );
}

interface Heading {
  text: string;
  level: number;
  /** Position of the caret in the heading. */
  position: number;
}

/** Returns the headings, and the index of the last one at or before the caret. */
function outlineOf({ state: { doc, selection } }: Editor): { headings: Heading[]; current: number } {
  const headings: Heading[] = [];
  doc.forEach((node, start) => {
    if (node.type.name === 'heading')
      headings.push({ text: node.textContent, level: Number(node.attrs['level']), position: start + 1 });
  });
  return { headings, current: headings.findLastIndex(({ position }) => position <= selection.from) };
}
