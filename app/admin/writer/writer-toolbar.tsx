import { ImagePlus } from 'lucide-react';
import { Toolbar } from 'radix-ui';
import { Fragment, useRef } from 'react';
import { Tooltip } from '../../ui/tooltip.tsx';
import { shortcutOf, WRITER_COMMANDS, type WriterCommand } from './writer-commands.ts';

interface WriterToolbarProps {
  onCommand: (command: WriterCommand) => void;
  onPictures: (files: File[]) => void;
}

const BUTTON_CLASS =
  'grid size-9 place-items-center rounded-sm text-muted transition-colors duration-150 hover:bg-line/60 hover:text-ink';

/** Arrow keys move between the buttons; Tab goes on to the text. */
export function WriterToolbar({ onCommand, onPictures }: WriterToolbarProps) {
  const fileInput = useRef<HTMLInputElement>(null);
  return (
    <Toolbar.Root aria-label="Formatting" className="flex flex-wrap items-center gap-0.5">
      {WRITER_COMMANDS.map((group, index) => (
        <Fragment key={group[0]?.label}>
          {index > 0 && <Toolbar.Separator className="mx-1 h-5 w-px bg-line" />}
          {group.map((command) => (
            <Tooltip key={command.label} label={[command.label, shortcutOf(command)].filter(Boolean).join('  ')}>
              <Toolbar.Button aria-label={command.label} onClick={() => onCommand(command)} className={BUTTON_CLASS}>
                <command.icon aria-hidden="true" className="size-[1.125rem]" />
              </Toolbar.Button>
            </Tooltip>
          ))}
        </Fragment>
      ))}
      <Toolbar.Separator className="mx-1 h-5 w-px bg-line" />
      <Tooltip label="Picture (or paste and drop one)">
        <Toolbar.Button aria-label="Picture" onClick={() => fileInput.current?.click()} className={BUTTON_CLASS}>
          <ImagePlus aria-hidden="true" className="size-[1.125rem]" />
        </Toolbar.Button>
      </Tooltip>
      <input
        ref={fileInput}
        type="file"
        accept="image/*"
        multiple
        hidden
        aria-label="Pictures to insert"
        onChange={(event) => {
          onPictures([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </Toolbar.Root>
  );
}
