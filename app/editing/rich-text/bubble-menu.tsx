import type { Editor } from '@tiptap/core';
import { AllSelection, TextSelection } from '@tiptap/pm/state';
import { Toolbar } from 'radix-ui';
import type { RefObject } from 'react';
import { type Command, SELECTION_COMMANDS } from './commands.ts';
import { placeAt } from './place-at.ts';
import { ToolButton } from './toolbar.tsx';
import { useEditorState } from './use-editor-state.ts';

interface BubbleMenuProps {
  editor: Editor;
  /** Element that the menu is positioned in. */
  frame: RefObject<HTMLElement | null>;
  onCommand: (command: Command) => void;
}

/** Shows formatting buttons above the selected text. */
export function BubbleMenu({ editor, frame, onCommand }: BubbleMenuProps) {
  const selection = useEditorState(editor, () => selectedText(editor));
  if (!selection) return null;
  return (
    <Toolbar.Root
      aria-label="Selection"
      style={placeAt(editor, frame.current, selection.from, {
        width: window.innerWidth < 640 ? 358 : 262,
        height: 48,
        above: true,
      })}
      className="absolute z-30 flex max-w-[calc(100%-1rem)] animate-fade overflow-x-auto rounded-md border border-line bg-surface p-0.5 shadow-md [scrollbar-width:none] dark:border-line-strong"
    >
      {SELECTION_COMMANDS.map((command) => (
        <ToolButton
          key={command.label}
          {...command}
          isPressed={selection.active.includes(command.label)}
          onClick={() => onCommand(command)}
        />
      ))}
    </Toolbar.Root>
  );
}

function selectedText(editor: Editor): { from: number; active: string[] } | null {
  const { selection } = editor.state;
  const isText = selection instanceof TextSelection || selection instanceof AllSelection;
  if (selection.empty || !isText || editor.isActive('codeBlock')) return null;
  const active = SELECTION_COMMANDS.filter(({ isActive }) => isActive?.(editor)).map(({ label }) => label);
  return { from: selection.from, active };
}
