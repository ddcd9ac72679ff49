import type { Editor } from '@tiptap/core';
import { AllSelection, TextSelection } from '@tiptap/pm/state';
import { Toolbar } from 'radix-ui';
import { type Command, SELECTION_COMMANDS } from './commands.ts';
import { Popup } from './popup.tsx';
import { ToolButton } from './toolbar.tsx';
import { useEditorState } from './use-editor-state.ts';

interface BubbleMenuProps {
  editor: Editor;
  onCommand: (command: Command) => void;
}

/** Shows formatting buttons above the selected text. */
export function BubbleMenu({ editor, onCommand }: BubbleMenuProps) {
  const selection = useEditorState(editor, () => selectedText(editor));
  if (!selection) return null;
  return (
    <Popup editor={editor} from={selection.from} to={selection.to} isAbove className="w-max">
      <Toolbar.Root aria-label="Selection" className="flex overflow-x-auto p-0.5 [scrollbar-width:none]">
        {SELECTION_COMMANDS.map((command) => (
          <ToolButton
            key={command.label}
            {...command}
            isPressed={selection.active.includes(command.label)}
            onClick={() => onCommand(command)}
          />
        ))}
      </Toolbar.Root>
    </Popup>
  );
}

function selectedText(editor: Editor): { from: number; to: number; active: string[] } | null {
  const { selection } = editor.state;
  const isText = selection instanceof TextSelection || selection instanceof AllSelection;
  if (selection.empty || !isText || editor.isActive('codeBlock')) return null;
  const active = SELECTION_COMMANDS.filter(({ isActive }) => isActive?.(editor)).map(({ label }) => label);
  return { from: selection.from, to: selection.to, active };
}
