import {
  Bold,
  Code,
  Heading2,
  Heading3,
  Italic,
  Link,
  List,
  ListOrdered,
  type LucideIcon,
  Quote,
  SquareCode,
} from 'lucide-react';
import { type Edit, makeCodeBlock, makeLink, type Passage, toggleLines, toggleMark } from './markdown-edits.ts';

export interface WriterCommand {
  label: string;
  icon: LucideIcon;
  edit: (passage: Passage) => Edit;
  /** Pressed with Ctrl or Cmd: a letter, or a digit together with Shift. */
  key?: string;
}

/** The buttons of the writer in order; the groups are divided by a line. */
export const WRITER_COMMANDS: readonly (readonly WriterCommand[])[] = [
  [
    { label: 'Bold', icon: Bold, key: 'b', edit: (passage) => toggleMark(passage, '**', 'bold text') },
    { label: 'Italic', icon: Italic, key: 'i', edit: (passage) => toggleMark(passage, '*', 'italic text') },
    { label: 'Code', icon: Code, key: 'e', edit: (passage) => toggleMark(passage, '`', 'code') },
    { label: 'Link', icon: Link, key: 'k', edit: makeLink },
  ],
  [
    { label: 'Heading', icon: Heading2, edit: (passage) => toggleLines(passage, 'heading') },
    { label: 'Subheading', icon: Heading3, edit: (passage) => toggleLines(passage, 'subheading') },
  ],
  [
    { label: 'Numbered list', icon: ListOrdered, key: '7', edit: (passage) => toggleLines(passage, 'numbers') },
    { label: 'Bulleted list', icon: List, key: '8', edit: (passage) => toggleLines(passage, 'bullets') },
    { label: 'Quote', icon: Quote, key: '9', edit: (passage) => toggleLines(passage, 'quote') },
    { label: 'Code block', icon: SquareCode, edit: makeCodeBlock },
  ],
];

interface KeyPress {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/** The command of a key press, if it is one. Digits are read from the key's place, because Shift changes their sign. */
export function commandOfKey(press: KeyPress): WriterCommand | undefined {
  if (!(press.ctrlKey || press.metaKey) || press.altKey) return undefined;
  const pressed = press.shiftKey ? /^Digit(\d)$/.exec(press.code)?.[1] : press.key.toLowerCase();
  return WRITER_COMMANDS.flat().find(
    ({ key }) => key !== undefined && key === pressed && /\d/.test(key) === press.shiftKey,
  );
}

/** 'Ctrl+B', for the tooltip of a button. */
export function shortcutOf({ key }: WriterCommand): string {
  if (!key) return '';
  return /\d/.test(key) ? `Ctrl+Shift+${key}` : `Ctrl+${key.toUpperCase()}`;
}
