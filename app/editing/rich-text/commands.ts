import type { ChainedCommands, Editor } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
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
  Strikethrough,
  Superscript,
  Table,
} from 'lucide-react';

export interface Command {
  label: string;
  icon: LucideIcon;
  /** Changes the text or opens a form. */
  action: ((chain: ChainedCommands, editor: Editor) => ChainedCommands) | 'link' | 'picture';
  /** True if the selection already has this formatting. */
  isActive?: (editor: Editor) => boolean;
  /** Shortcut for the tooltip. */
  hint?: string;
  /** Synonyms for search. */
  keywords?: string;
}

type Action = Command['action'];

/** Returns a command that inserts a block. */
function insert(label: string, icon: LucideIcon, keywords: string, action: Action): Command {
  return { label, icon, keywords, action };
}

/** Returns a command that applies a node or mark, with a shortcut of Ctrl and `key`. */
function format(name: string, label: string, icon: LucideIcon, key: string, keywords: string, action: Action): Command {
  return { label, icon, hint: key && `Ctrl+${key}`, keywords, action, isActive: (editor) => editor.isActive(name) };
}

function mark(name: string, label: string, icon: LucideIcon, key: string): Command {
  return format(name, label, icon, key, '', (to) => to.toggleMark(name));
}

function heading(level: 2 | 3, label: string, icon: LucideIcon, keywords: string): Command {
  const command = format('heading', label, icon, `Alt+${level}`, keywords, (to) => to.toggleHeading({ level }));
  return { ...command, isActive: (editor) => editor.isActive('heading', { level }) };
}

const BOLD = mark('bold', 'Bold', Bold, 'B');
const ITALIC = mark('italic', 'Italic', Italic, 'I');
const STRIKE = mark('strike', 'Strikethrough', Strikethrough, 'Shift+S');
const CODE = mark('code', 'Code', Code, 'E');
const LINK = format('link', 'Link', Link, 'K', 'page url', 'link');
const HEADING = heading(2, 'Heading', Heading2, 'h2 title');
const SUBHEADING = heading(3, 'Subheading', Heading3, 'h3 heading');
const NUMBERS = format('orderedList', 'Numbered list', ListOrdered, 'Shift+7', 'ordered', (to) =>
  to.toggleOrderedList(),
);
const BULLETS = format('bulletList', 'Bulleted list', List, 'Shift+8', 'unordered', (to) => to.toggleBulletList());
const TASKS = format('taskList', 'Task list', ListChecks, 'Shift+9', 'todo checkbox checklist', (to) =>
  to.toggleTaskList(),
);
const QUOTE = format('blockquote', 'Quote', Quote, 'Shift+B', '', (to) => to.toggleBlockquote());
const CODE_BLOCK = format('codeBlock', 'Code block', SquareCode, 'Alt+C', 'fence', (to) => to.toggleCodeBlock());
const CALLOUT = format('callout', 'Callout', Info, '', 'note tip warning alert', (to) => to.toggleWrap('callout'));
const TABLE = insert('Table', Table, 'grid', (to) => to.insertTable({ rows: 3, cols: 2 }));
const PICTURE = insert('Picture', ImagePlus, 'image photo', 'picture');
const VIDEO = insert('Video', SquarePlay, 'youtube vimeo film embed', (to) =>
  to.insertContent({ type: 'paragraph', content: [{ type: 'text', text: VIDEO_URL }] }),
);
const FOOTNOTE = insert('Footnote', Superscript, 'note reference', addFootnote);
const DIVIDER = insert('Divider', Minus, 'line rule separator', (to) => to.setHorizontalRule());

/** The editor completes the command with the id of the video. */
const VIDEO_URL = 'https://www.youtube.com/watch?v=';

/** Toolbar buttons in order, in groups separated by a line. */
export const TOOLBAR_COMMANDS: readonly (readonly Command[])[] = [
  [BOLD, ITALIC, CODE, LINK],
  [HEADING, SUBHEADING],
  [NUMBERS, BULLETS, TASKS, QUOTE, CODE_BLOCK],
  [TABLE, PICTURE],
];

/** Buttons of the menu above a selection. */
export const SELECTION_COMMANDS: readonly Command[] = [BOLD, ITALIC, STRIKE, CODE, LINK, HEADING, SUBHEADING, QUOTE];

const BLOCK_COMMANDS = {
  Basic: [HEADING, SUBHEADING, BULLETS, NUMBERS, TASKS, QUOTE],
  Media: [PICTURE, VIDEO],
  Advanced: [TABLE, CALLOUT, CODE_BLOCK, FOOTNOTE, DIVIDER, { ...LINK, label: 'Link to a page' }],
};

/** Finds slash menu commands by word prefix. */
export function commandsLike(search: string): readonly (Command & { group: string })[] {
  const query = search.trim().toLowerCase();
  return Object.entries(BLOCK_COMMANDS).flatMap(([group, commands]) =>
    commands
      .filter(({ label, keywords = '' }) => ` ${label} ${keywords}`.toLowerCase().includes(query && ` ${query}`))
      .map((command) => ({ ...command, group })),
  );
}

/** Inserts a reference at the caret and an empty note at the end of the text. */
function addFootnote(chain: ChainedCommands, { state: { doc, selection } }: Editor): ChainedCommands {
  const attrs = { label: String(numbersIn(doc).footnotes + 1) };
  const end = doc.content.size;
  return chain
    .insertContentAt(end, { type: 'footnote', attrs, content: [{ type: 'paragraph' }] })
    .insertContentAt(selection.to, { type: 'footnoteReference', attrs })
    .setTextSelection(end + 3);
}

/** Returns the highest numbers of footnotes and of pasted pictures that were not uploaded. */
export function numbersIn(doc: Node): { footnotes: number; pictures: number } {
  const highest = { footnotes: 0, pictures: 0 };
  doc.descendants(({ type, attrs }) => {
    const picture = type.name === 'image' && /^#pasted-picture-(\d+)$/.exec(attrs['src'])?.[1];
    if (picture) highest.pictures = Math.max(highest.pictures, Number(picture));
    if (type.name.startsWith('footnote'))
      highest.footnotes = Math.max(highest.footnotes, Number.parseInt(attrs['label'], 10) || 0);
  });
  return highest;
}
