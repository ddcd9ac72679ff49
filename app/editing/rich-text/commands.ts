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
  /** True if the command applies to the selection already. */
  isActive?: (editor: Editor) => boolean;
  /** Shortcut for the tooltip. */
  hint?: string;
  /** Synonyms for search. */
  keywords?: string;
}

function mark(label: string, icon: LucideIcon, name: string, hint: string): Command {
  return { label, icon, hint, action: (chain) => chain.toggleMark(name), isActive: (editor) => editor.isActive(name) };
}

function heading(label: string, icon: LucideIcon, level: 2 | 3, keywords: string): Command {
  return {
    label,
    icon,
    keywords,
    hint: `Ctrl+Alt+${level}`,
    action: (chain) => chain.toggleHeading({ level }),
    isActive: (editor) => editor.isActive('heading', { level }),
  };
}

function block(name: string, command: Omit<Command, 'isActive'>): Command {
  return { ...command, isActive: (editor) => editor.isActive(name) };
}

export const BOLD = mark('Bold', Bold, 'bold', 'Ctrl+B');
export const ITALIC = mark('Italic', Italic, 'italic', 'Ctrl+I');
export const STRIKE = mark('Strikethrough', Strikethrough, 'strike', 'Ctrl+Shift+S');
export const CODE = mark('Code', Code, 'code', 'Ctrl+E');
export const LINK: Command = block('link', {
  label: 'Link',
  icon: Link,
  action: 'link',
  hint: 'Ctrl+K',
  keywords: 'page url',
});
const HEADING = heading('Heading', Heading2, 2, 'h2 title');
const SUBHEADING = heading('Subheading', Heading3, 3, 'h3 heading');
const NUMBERS = block('orderedList', {
  label: 'Numbered list',
  icon: ListOrdered,
  hint: 'Ctrl+Shift+7',
  action: (chain) => chain.toggleOrderedList(),
  keywords: 'ordered',
});
const BULLETS = block('bulletList', {
  label: 'Bulleted list',
  icon: List,
  hint: 'Ctrl+Shift+8',
  action: (chain) => chain.toggleBulletList(),
  keywords: 'unordered',
});
const TASKS = block('taskList', {
  label: 'Task list',
  icon: ListChecks,
  hint: 'Ctrl+Shift+9',
  action: (chain) => chain.toggleTaskList(),
  keywords: 'todo checkbox checklist',
});
const QUOTE = block('blockquote', {
  label: 'Quote',
  icon: Quote,
  hint: 'Ctrl+Shift+B',
  action: (chain) => chain.toggleBlockquote(),
});
const CODE_BLOCK = block('codeBlock', {
  label: 'Code block',
  icon: SquareCode,
  hint: 'Ctrl+Alt+C',
  action: (chain) => chain.toggleCodeBlock(),
  keywords: 'fence',
});
const TABLE: Command = {
  label: 'Table',
  icon: Table,
  action: (chain) => chain.insertTable({ rows: 3, cols: 2 }),
  keywords: 'grid',
};
const CALLOUT = block('callout', {
  label: 'Callout',
  icon: Info,
  action: (chain) => chain.toggleWrap('callout'),
  keywords: 'note tip warning alert',
});
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

/** Buttons at a selection. */
export const MARK_COMMANDS: readonly Command[] = [BOLD, ITALIC, STRIKE, CODE, LINK];

const BLOCK_COMMANDS: readonly Command[] = [
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
