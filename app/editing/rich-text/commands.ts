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

function mark(name: string, label: string, icon: LucideIcon, hint: string): Command {
  return { label, icon, hint, action: (chain) => chain.toggleMark(name), isActive: (editor) => editor.isActive(name) };
}

function heading(level: 2 | 3, label: string, icon: LucideIcon, keywords: string): Command {
  const isActive = (editor: Editor) => editor.isActive('heading', { level });
  return {
    label,
    icon,
    keywords,
    hint: `Ctrl+Alt+${level}`,
    action: (chain) => chain.toggleHeading({ level }),
    isActive,
  };
}

function block(
  name: string,
  label: string,
  icon: LucideIcon,
  action: Command['action'],
  keywords = '',
  hint = '',
): Command {
  return { label, icon, action, keywords, hint, isActive: (editor) => editor.isActive(name) };
}

const BOLD = mark('bold', 'Bold', Bold, 'Ctrl+B');
const ITALIC = mark('italic', 'Italic', Italic, 'Ctrl+I');
const STRIKE = mark('strike', 'Strikethrough', Strikethrough, 'Ctrl+Shift+S');
const CODE = mark('code', 'Code', Code, 'Ctrl+E');
const LINK = block('link', 'Link', Link, 'link', 'page url', 'Ctrl+K');
const HEADING = heading(2, 'Heading', Heading2, 'h2 title');
const SUBHEADING = heading(3, 'Subheading', Heading3, 'h3 heading');
const NUMBERS = block(
  'orderedList',
  'Numbered list',
  ListOrdered,
  (to) => to.toggleOrderedList(),
  'ordered',
  'Ctrl+Shift+7',
);
const BULLETS = block('bulletList', 'Bulleted list', List, (to) => to.toggleBulletList(), 'unordered', 'Ctrl+Shift+8');
const TASKS = block(
  'taskList',
  'Task list',
  ListChecks,
  (to) => to.toggleTaskList(),
  'todo checkbox checklist',
  'Ctrl+Shift+9',
);
const QUOTE = block('blockquote', 'Quote', Quote, (to) => to.toggleBlockquote(), '', 'Ctrl+Shift+B');
const CODE_BLOCK = block('codeBlock', 'Code block', SquareCode, (to) => to.toggleCodeBlock(), 'fence', 'Ctrl+Alt+C');
const CALLOUT = block('callout', 'Callout', Info, (to) => to.toggleWrap('callout'), 'note tip warning alert');
const TABLE: Command = {
  label: 'Table',
  icon: Table,
  action: (chain) => chain.insertTable({ rows: 3, cols: 2 }),
  keywords: 'grid',
};
const PICTURE: Command = { label: 'Picture', icon: ImagePlus, action: 'picture', keywords: 'image photo' };
const VIDEO: Command = {
  label: 'Video',
  icon: SquarePlay,
  action: (chain) => chain.insertContent({ type: 'paragraph', content: [{ type: 'text', text: VIDEO_URL }] }),
  keywords: 'youtube vimeo film embed',
};
const FOOTNOTE: Command = { label: 'Footnote', icon: Superscript, action: addFootnote, keywords: 'note reference' };
const DIVIDER: Command = {
  label: 'Divider',
  icon: Minus,
  action: (chain) => chain.setHorizontalRule(),
  keywords: 'line rule separator',
};

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

const BLOCK_COMMANDS: readonly Command[] = [
  HEADING,
  SUBHEADING,
  PICTURE,
  BULLETS,
  NUMBERS,
  TASKS,
  QUOTE,
  CALLOUT,
  TABLE,
  CODE_BLOCK,
  VIDEO,
  FOOTNOTE,
  DIVIDER,
  { ...LINK, label: 'Link to a page' },
];

/** Finds slash menu commands by word prefix. */
export function commandsLike(search: string): readonly Command[] {
  const query = search.trim().toLowerCase();
  return BLOCK_COMMANDS.filter(({ label, keywords = '' }) =>
    ` ${label} ${keywords}`.toLowerCase().includes(query === '' ? '' : ` ${query}`),
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
