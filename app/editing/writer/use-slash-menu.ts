import { type KeyboardEvent, type RefObject, useId, useState } from 'react';
import { measureText } from './measure-text.ts';
import { commandsLike, type WriterCommand } from './writer-commands.ts';

/** Measuring longer texts would be slow. The menu then opens at the end of the text area. */
const MEASURED_LENGTH = 30_000;

/** In px. The bar is the one with the save button. */
const MENU_WIDTH = 256;
const MENU_HEIGHT = 256;
const BAR_HEIGHT = 76;

interface OpenMenu {
  /** Start index of the typed search, including the slash. */
  start: number;
  /** 1 if it starts with a slash. */
  slash: number;
  typed: string;
  active: number;
  /** Position in the text area: below or above the line, or null for its end. */
  place: { left: number; top: number } | { left: number; bottom: number } | null;
}

export interface SlashMenu {
  id: string;
  open: OpenMenu | null;
  commands: readonly WriterCommand[];
  optionId: (index: number) => string;
  /** Opens the menu at the caret. */
  show: () => void;
  close: () => void;
  onInput: (typed: string | null) => void;
  /** Updates the menu after the caret moved. */
  onSelect: () => void;
  /** Returns true if the menu handled the key. */
  onKeyDown: (event: KeyboardEvent) => boolean;
  pick: (command: WriterCommand) => void;
}

interface SlashMenuOptions {
  /** Runs the command in place of the typed search. */
  onPick: (command: WriterCommand, typed: { from: number; to: number }) => void;
}

/** Slash menu: opens on `/` at the start of a line and filters while typing. */
export function useSlashMenu(area: RefObject<HTMLTextAreaElement | null>, { onPick }: SlashMenuOptions): SlashMenu {
  const id = useId();
  const [open, setOpen] = useState<OpenMenu | null>(null);
  const commands = open ? commandsLike(open.typed) : [];

  const show = (slash = 0) => {
    const element = area.current;
    if (!element) return;
    const start = element.selectionStart - slash;
    setOpen({ start, slash, typed: '', active: 0, place: placeBelow(element, start) });
  };
  const close = () => setOpen(null);
  const follow = () => setOpen((menu) => menu && area.current && followed(menu, area.current));
  const pick = (command: WriterCommand) => {
    if (!open) return;
    close();
    onPick(command, { from: open.start, to: open.start + open.slash + open.typed.length });
  };

  return {
    id,
    open,
    commands,
    optionId: (index) => `${id}-${index}`,
    show: () => show(),
    close,
    pick,
    onSelect: follow,
    onInput: (typed) => {
      if (open) return follow();
      // Only check for a slash, because the text may be long.
      if (typed === '/' && area.current && isSlashAtStart(area.current)) show(1);
    },
    onKeyDown: (event) => {
      if (!open || event.ctrlKey || event.metaKey || event.altKey) return false;
      const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const chosen = commands[open.active];
      if (move) setOpen({ ...open, active: (open.active + move + commands.length) % commands.length });
      else if (event.key === 'Escape') close();
      else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && chosen) pick(chosen);
      else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
  };
}

function isSlashAtStart({ value, selectionStart }: HTMLTextAreaElement): boolean {
  const lineStart = value.lastIndexOf('\n', selectionStart - 1) + 1;
  return /^\s*\/$/.test(value.slice(lineStart, selectionStart));
}

/** Updates the menu from the typed text. Undefined if the caret has left it or nothing matches. */
function followed(menu: OpenMenu, { value, selectionStart, selectionEnd }: HTMLTextAreaElement): OpenMenu | null {
  const from = menu.start + menu.slash;
  const typed = value.slice(from, selectionStart);
  const isThere =
    selectionStart === selectionEnd && selectionStart >= from && (menu.slash === 0 || value[menu.start] === '/');
  if (!isThere || typed.length > 24 || /[\n/]/.test(typed) || commandsLike(typed).length === 0) return null;
  return typed === menu.typed ? menu : { ...menu, typed, active: 0 };
}

function placeBelow(area: HTMLTextAreaElement, at: number): OpenMenu['place'] {
  if (area.textLength > MEASURED_LENGTH) return null;
  const [box] = measureText(area, at, at);
  if (!box) return null;
  const top = Math.max(0, box.top - area.scrollTop);
  const bottom = Math.min(top + box.height, area.clientHeight);
  const left = Math.max(8, Math.min(box.left, area.clientWidth - MENU_WIDTH - 8));
  // Above the line if there is no room below.
  const isBelow = area.getBoundingClientRect().top + bottom + MENU_HEIGHT + BAR_HEIGHT < window.innerHeight;
  return isBelow ? { left, top: bottom } : { left, bottom: area.offsetHeight - top };
}
