import {
  Bold,
  Code,
  Heading2,
  Heading3,
  ImagePlus,
  Info,
  Italic,
  Link,
  List,
  ListChecks,
  ListOrdered,
  type LucideIcon,
  Minus,
  Quote,
  SquareCode,
  SquarePlay,
  Superscript,
  Table,
} from 'lucide-react';
import {
  type Edit,
  insertBlock,
  insertDraft,
  insertFootnote,
  makeCallout,
  makeCodeBlock,
  type Passage,
  toggleLines,
  toggleMark,
} from './markdown-edits.ts';

export interface WriterCommand {
  label: string;
  icon: LucideIcon;
  /** Edits the text or opens a form. */
  does: ((passage: Passage) => Edit) | 'link' | 'picture';
  /** Shortcut with Ctrl or Cmd: a letter, or a digit with Shift. */
  key?: string;
  /** Synonyms for search. */
  words?: string;
}

const BOLD: WriterCommand = {
  label: 'Bold',
  icon: Bold,
  key: 'b',
  does: (passage) => toggleMark(passage, '**', 'bold text'),
};
const ITALIC: WriterCommand = {
  label: 'Italic',
  icon: Italic,
  key: 'i',
  does: (passage) => toggleMark(passage, '*', 'italic text'),
};
const CODE: WriterCommand = {
  label: 'Code',
  icon: Code,
  key: 'e',
  does: (passage) => toggleMark(passage, '`', 'code'),
};
const LINK: WriterCommand = { label: 'Link', icon: Link, key: 'k', does: 'link', words: 'page url' };
const HEADING: WriterCommand = {
  label: 'Heading',
  icon: Heading2,
  does: (passage) => toggleLines(passage, 'heading'),
  words: 'h2 title',
};
const SUBHEADING: WriterCommand = {
  label: 'Subheading',
  icon: Heading3,
  does: (passage) => toggleLines(passage, 'subheading'),
  words: 'h3 heading',
};
const NUMBERS: WriterCommand = {
  label: 'Numbered list',
  icon: ListOrdered,
  key: '7',
  does: (passage) => toggleLines(passage, 'numbers'),
  words: 'ordered',
};
const BULLETS: WriterCommand = {
  label: 'Bulleted list',
  icon: List,
  key: '8',
  does: (passage) => toggleLines(passage, 'bullets'),
  words: 'unordered',
};
const TASKS: WriterCommand = {
  label: 'Task list',
  icon: ListChecks,
  does: (passage) => toggleLines(passage, 'tasks'),
  words: 'todo checkbox checklist',
};
const QUOTE: WriterCommand = {
  label: 'Quote',
  icon: Quote,
  key: '9',
  does: (passage) => toggleLines(passage, 'quote'),
};
const CODE_BLOCK: WriterCommand = { label: 'Code block', icon: SquareCode, does: makeCodeBlock, words: 'fence' };
const TABLE: WriterCommand = {
  label: 'Table',
  icon: Table,
  does: (passage) => insertDraft(passage, '| Column | Column |\n| - | - |\n|  |  |', 'Column'),
  words: 'grid',
};
const CALLOUT: WriterCommand = { label: 'Callout', icon: Info, does: makeCallout, words: 'note tip warning alert' };
const PICTURE: WriterCommand = { label: 'Picture', icon: ImagePlus, does: 'picture', words: 'image photo' };
const VIDEO: WriterCommand = {
  label: 'Video',
  icon: SquarePlay,
  does: (passage) => insertDraft(passage, VIDEO_ADDRESS, VIDEO_ADDRESS),
  words: 'youtube vimeo film embed',
};
const FOOTNOTE: WriterCommand = { label: 'Footnote', icon: Superscript, does: insertFootnote, words: 'note reference' };
const DIVIDER: WriterCommand = {
  label: 'Divider',
  icon: Minus,
  does: (passage) => insertBlock(passage, '---\n'),
  words: 'line rule separator',
};

/** Selected, so that pasting replaces it. */
const VIDEO_ADDRESS = 'https://www.youtube.com/watch?v=';

/** Toolbar buttons in order, in groups separated by a line. */
export const TOOLBAR_COMMANDS: readonly (readonly WriterCommand[])[] = [
  [BOLD, ITALIC, CODE, LINK],
  [HEADING, SUBHEADING],
  [NUMBERS, BULLETS, TASKS, QUOTE, CODE_BLOCK],
  [TABLE, PICTURE],
];

/** Commands in the slash menu. */
export const BLOCK_COMMANDS: readonly WriterCommand[] = [
  HEADING,
  SUBHEADING,
  BULLETS,
  NUMBERS,
  TASKS,
  TABLE,
  QUOTE,
  CALLOUT,
  CODE_BLOCK,
  PICTURE,
  VIDEO,
  FOOTNOTE,
  DIVIDER,
  { ...LINK, label: 'Link to a page' },
];

/** Finds slash menu commands by word prefix. */
export function commandsLike(typed: string): readonly WriterCommand[] {
  const wanted = typed.trim().toLowerCase();
  return BLOCK_COMMANDS.filter(({ label, words = '' }) =>
    ` ${label} ${words}`.toLowerCase().includes(wanted === '' ? '' : ` ${wanted}`),
  );
}

interface KeyPress {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/** Returns the command for a shortcut. Digits are read from the key code because Shift changes the character. */
export function commandOfKey(press: KeyPress): WriterCommand | undefined {
  if (!(press.ctrlKey || press.metaKey) || press.altKey) return undefined;
  const pressed = press.shiftKey ? /^Digit(\d)$/.exec(press.code)?.[1] : press.key.toLowerCase();
  return TOOLBAR_COMMANDS.flat().find(
    ({ key }) => key !== undefined && key === pressed && /\d/.test(key) === press.shiftKey,
  );
}

/** True for the find and replace shortcut. Ctrl+F is left to the browser. */
export function isFindKey(press: KeyPress): boolean {
  return (press.ctrlKey || press.metaKey) && press.shiftKey && !press.altKey && press.key.toLowerCase() === 'h';
}

/** Tooltip text such as 'Ctrl+B'. */
export function shortcutOf({ key }: WriterCommand): string {
  if (!key) return '';
  return /\d/.test(key) ? `Ctrl+Shift+${key}` : `Ctrl+${key.toUpperCase()}`;
}
