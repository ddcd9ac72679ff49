import type { Editor } from '@tiptap/core';
import { clsx } from 'clsx';
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { type Command, commandsLike } from './commands.ts';
import { Popup } from './popup.tsx';
import { useEditorState } from './use-editor-state.ts';

interface SlashMenuProps {
  editor: Editor;
  /** Returns true for a key that the menu handles. */
  keys: RefObject<((key: string) => boolean) | null>;
  onCommand: (command: Command) => void;
}

/** Shows a menu of blocks after `/` at the start of a paragraph. Typing filters it. The focus stays in the text. */
export function SlashMenu({ editor, keys, onCommand }: SlashMenuProps) {
  const id = useId();
  const search = useEditorState(editor, slashSearch);
  const [closedSearch, setClosedSearch] = useState<string | null>(null);
  const [selected, setSelected] = useState({ typed: '', index: 0 });
  const commands = search && search.typed !== closedSearch ? commandsLike(search.typed) : [];
  const index = search && selected.typed === search.typed ? selected.index : 0;
  if (closedSearch !== null && !search) setClosedSearch(null);

  const pick = (command: Command | undefined) => {
    if (!search || !command) return;
    editor
      .chain()
      .focus()
      .deleteRange({ from: search.from, to: search.from + search.typed.length + 1 })
      .run();
    onCommand(command);
  };
  useEffect(() => {
    if (!search || commands.length === 0) return;
    keys.current = (key) => {
      const move = { ArrowDown: 1, ArrowUp: -1 }[key];
      if (move) setSelected({ typed: search.typed, index: (index + move + commands.length) % commands.length });
      else if (key === 'Escape') setClosedSearch(search.typed);
      else if (key === 'Enter' || key === 'Tab') pick(commands[index]);
      else return false;
      return true;
    };
    const text = editor.view.dom;
    text.setAttribute('aria-controls', id);
    text.setAttribute('aria-activedescendant', `${id}-${index}`);
    return () => {
      keys.current = null;
      text.removeAttribute('aria-controls');
      text.removeAttribute('aria-activedescendant');
    };
  });
  if (!search || commands.length === 0) return null;
  return (
    <>
      <Popup
        editor={editor}
        from={search.from}
        to={search.from}
        role="listbox"
        id={id}
        aria-label="Insert"
        className="max-h-80 w-72 overflow-y-auto p-1.5"
      >
        {[...Map.groupBy(commands, ({ group }) => group)].map(([group, members]) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot group options
          <div key={group} role="group" aria-label={group}>
            <div aria-hidden="true" className="px-2.5 pt-2 pb-1 text-label text-muted select-none">
              {group}
            </div>
            {members.map((command) => {
              const position = commands.indexOf(command);
              return (
                <Option
                  key={command.label}
                  id={`${id}-${position}`}
                  command={command}
                  isSelected={position === index}
                  onPick={() => pick(command)}
                />
              );
            })}
          </div>
        ))}
      </Popup>
      <span role="status" className="sr-only">
        {`${commands.length} ${commands.length === 1 ? 'block' : 'blocks'} to insert. Use the arrow keys, then press Enter.`}
      </span>
    </>
  );
}

interface OptionProps {
  id: string;
  command: Command;
  isSelected: boolean;
  onPick: () => void;
}

function Option({ id, command, isSelected, onPick }: OptionProps) {
  const option = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isSelected) option.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the text has the focus and handles the keys
    <div
      ref={option}
      role="option"
      id={id}
      tabIndex={-1}
      aria-selected={isSelected}
      onClick={onPick}
      className={clsx(
        'flex min-h-11 scroll-mt-8 sm:min-h-9 cursor-pointer items-center gap-2.5 rounded-sm px-2.5 text-[0.9375rem] text-ink select-none hover:bg-sunken',
        isSelected && 'bg-sunken',
      )}
    >
      <command.icon aria-hidden="true" className="size-[1.125rem] shrink-0 text-muted" />
      {command.label}
      <span className="ml-auto hidden font-mono text-label text-muted sm:inline">{command.hint}</span>
    </div>
  );
}

/** Returns the typed search and the position of its slash. */
function slashSearch({ state: { selection } }: Editor): { typed: string; from: number } | null {
  const { $from, empty } = selection;
  if (!empty || $from.parent.type.name !== 'paragraph') return null;
  const search = /^\/([^/]{0,24})$/.exec($from.parent.textBetween(0, $from.parentOffset, undefined, '\ufffc'))?.[1];
  return search === undefined ? null : { typed: search, from: $from.start() };
}
