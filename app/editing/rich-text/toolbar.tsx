import type { Editor } from '@tiptap/core';
import { redoDepth, undoDepth } from '@tiptap/pm/history';
import { clsx } from 'clsx';
import { FileCode2, ListTree, type LucideIcon, Maximize2, Minimize2, Plus, Redo2, Replace, Undo2 } from 'lucide-react';
import { Toolbar } from 'radix-ui';
import { useFormState } from 'react-hook-form';
import { Button } from '../../ui/button.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { type Command, TOOLBAR_COMMANDS } from './commands.ts';
import { useEditorState } from './use-editor-state.ts';

/** Group with a line on its left. The toolbar clips the line at the start of a row. */
const GROUP_CLASS =
  'relative mr-2 flex before:absolute before:inset-y-1.5 before:-left-[5px] before:w-px before:bg-line';

interface EditorToolbarProps {
  editor: Editor;
  onCommand: (command: Command) => void;
  onMore: () => void;
  isOutlined: boolean;
  onOutline: () => void;
  onFind: () => void;
  isSource: boolean;
  onSource: () => void;
  isFull: boolean;
  onFullScreen: () => void;
}

/** Renders a toolbar with one tab stop. Arrow keys move between buttons. On phones, the toolbar is a scrollable row. */
export function EditorToolbar(props: EditorToolbarProps) {
  const { editor, onCommand, onMore, isOutlined, onOutline, onFind, isSource, onSource, isFull, onFullScreen } = props;
  const active = useEditorState(editor, () => activeLabels(editor));
  const { isSubmitting } = useFormState();
  return (
    <Toolbar.Root
      aria-label="Formatting"
      className="flex items-center overflow-x-auto border-b border-line px-1 py-1 [scrollbar-width:none] max-sm:pr-0 sm:flex-wrap"
    >
      {!isSource &&
        TOOLBAR_COMMANDS.map((group, index) => (
          <div key={group[0]?.label} className={GROUP_CLASS}>
            {index === 0 && (
              <ToolButton label="More blocks" hint="or type / at the start of a line" icon={Plus} onClick={onMore} />
            )}
            {group.map((command) => (
              <ToolButton
                key={command.label}
                {...command}
                {...(command.isActive && { isPressed: active.includes(command.label) })}
                onClick={() => onCommand(command)}
              />
            ))}
          </div>
        ))}
      {!isSource && (
        <div className={GROUP_CLASS}>
          <ToolButton
            label="Undo"
            hint="Ctrl+Z"
            icon={Undo2}
            isDisabled={!active.includes('undo')}
            onClick={() => editor.chain().focus().undo().run()}
          />
          <ToolButton
            label="Redo"
            hint="Ctrl+Shift+Z"
            icon={Redo2}
            isDisabled={!active.includes('redo')}
            onClick={() => editor.chain().focus().redo().run()}
          />
        </div>
      )}
      <div className="ml-auto flex">
        {!isSource && (
          <>
            <ToolButton label="Outline" icon={ListTree} isPressed={isOutlined} onClick={onOutline} />
            <ToolButton label="Find and replace" hint="Ctrl+Shift+H" icon={Replace} onClick={onFind} />
          </>
        )}
        <ToolButton label="Markdown source" icon={FileCode2} isPressed={isSource} onClick={onSource} />
      </div>
      {/* Stays in view on phones. */}
      <div className="flex items-center bg-surface pr-1 max-sm:sticky max-sm:right-0 max-sm:border-l max-sm:border-line sm:pr-0">
        {isFull && (
          <Button type="submit" size="sm" loading={isSubmitting} className="ml-2 max-sm:min-h-11 sm:min-h-8">
            Save
          </Button>
        )}
        <ToolButton
          label={isFull ? 'Leave full screen' : 'Full screen'}
          hint={isFull ? 'Escape' : ''}
          icon={isFull ? Minimize2 : Maximize2}
          onClick={onFullScreen}
        />
      </div>
    </Toolbar.Root>
  );
}

function activeLabels(editor: Editor): string[] {
  const active = TOOLBAR_COMMANDS.flat().filter(({ isActive }) => isActive?.(editor));
  const steps = [undoDepth(editor.state) > 0 && 'undo', redoDepth(editor.state) > 0 && 'redo'];
  return [...active.map(({ label }) => label), ...steps.filter((step) => step !== false)];
}

interface ToolButtonProps {
  label: string;
  hint?: string;
  icon: LucideIcon;
  isPressed?: boolean;
  isDisabled?: boolean;
  onClick: () => void;
}

export function ToolButton({ label, hint = '', icon: Icon, isPressed, isDisabled, onClick }: ToolButtonProps) {
  return (
    <Tooltip label={[label, hint].filter(Boolean).join('  ')}>
      <Toolbar.Button
        aria-label={label}
        aria-pressed={isPressed}
        aria-disabled={isDisabled}
        // Keeps the selection of the text.
        onMouseDown={(event) => event.preventDefault()}
        onClick={onClick}
        className={clsx(
          'grid size-11 shrink-0 sm:size-8 place-items-center rounded-sm transition-colors duration-150 hover:bg-line/60 hover:text-ink focus-visible:-outline-offset-2 aria-disabled:opacity-40',
          isPressed ? 'bg-accent-soft text-accent' : 'text-muted',
        )}
      >
        <Icon aria-hidden="true" className="size-[1.125rem]" />
      </Toolbar.Button>
    </Tooltip>
  );
}
