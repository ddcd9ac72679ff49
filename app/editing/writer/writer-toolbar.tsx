import { type LucideIcon, Maximize2, Minimize2, Plus, Replace } from 'lucide-react';
import { Toolbar } from 'radix-ui';
import { Fragment } from 'react';
import { Tooltip } from '../../ui/tooltip.tsx';
import { shortcutOf, TOOLBAR_COMMANDS, type WriterCommand } from './writer-commands.ts';

interface WriterToolbarProps {
  onCommand: (command: WriterCommand) => void;
  onMore: () => void;
  onFind: () => void;
  isFull: boolean;
  onFullScreen: () => void;
}

/** Toolbar with one tab stop. Arrow keys move between buttons. On phones it is one scrolling row. */
export function WriterToolbar({ onCommand, onMore, onFind, isFull, onFullScreen }: WriterToolbarProps) {
  return (
    <Toolbar.Root
      aria-label="Formatting"
      className="flex items-center gap-0.5 overflow-x-auto border-b border-line px-1.5 py-1 [scrollbar-width:none] sm:flex-wrap"
    >
      {TOOLBAR_COMMANDS.map((group, index) => (
        <Fragment key={group[0]?.label}>
          {index > 0 && <Divider />}
          {group.map((command) => (
            <ToolButton
              key={command.label}
              label={command.label}
              hint={shortcutOf(command)}
              icon={command.icon}
              onClick={() => onCommand(command)}
            />
          ))}
        </Fragment>
      ))}
      <ToolButton label="More blocks" hint="or type / at the start of a line" icon={Plus} onClick={onMore} />
      <Divider />
      <ToolButton label="Find and replace" hint="Ctrl+Shift+H" icon={Replace} onClick={onFind} />
      <ToolButton
        label={isFull ? 'Leave full screen' : 'Full screen'}
        hint={isFull ? 'Escape' : ''}
        icon={isFull ? Minimize2 : Maximize2}
        onClick={onFullScreen}
      />
    </Toolbar.Root>
  );
}

interface ToolButtonProps {
  label: string;
  hint: string;
  icon: LucideIcon;
  onClick: () => void;
}

function ToolButton({ label, hint, icon: Icon, onClick }: ToolButtonProps) {
  return (
    <Tooltip label={[label, hint].filter(Boolean).join('  ')}>
      <Toolbar.Button
        aria-label={label}
        onClick={onClick}
        className="grid size-9 shrink-0 place-items-center rounded-sm text-muted transition-colors duration-150 hover:bg-line/60 hover:text-ink focus-visible:-outline-offset-2"
      >
        <Icon aria-hidden="true" className="size-[1.125rem]" />
      </Toolbar.Button>
    </Tooltip>
  );
}

function Divider() {
  return <Toolbar.Separator className="mx-1 h-5 w-px shrink-0 bg-line" />;
}
