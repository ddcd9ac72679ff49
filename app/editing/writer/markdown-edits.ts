/** Pure functions for the writer's buttons and shortcuts. The text area applies the edits so that undo works. */

/** A text with its selection. `start` equals `end` for a caret. */
export interface Passage {
  text: string;
  start: number;
  end: number;
}

/** Replaces from..to with `insert`, then selects selectFrom..selectTo of the result. */
export interface Edit {
  from: number;
  to: number;
  insert: string;
  selectFrom: number;
  selectTo: number;
}

/**
 * Adds or removes a mark such as ** around the selection. Whitespace at its ends stays outside and each paragraph gets
 * its own marks, because Markdown would otherwise show the asterisks.
 */
export function toggleMark(passage: Passage, mark: string, placeholder: string): Edit {
  const { text } = passage;
  const chosen = text.slice(passage.start, passage.end);
  const blank = chosen.trim() === '' ? 0 : chosen.length - chosen.trimStart().length;
  const start = passage.start + blank;
  const end = chosen.trim() === '' ? passage.end : start + chosen.trim().length;
  const selected = text.slice(start, end);
  const outside = text.slice(start - mark.length, start) === mark && text.slice(end, end + mark.length) === mark;
  // A single * next to another one belongs to **.
  const partOfLonger = mark.length === 1 && (text[start - 2] === mark || text[end + 1] === mark);
  if (outside && !partOfLonger) {
    return {
      from: start - mark.length,
      to: end + mark.length,
      insert: selected,
      selectFrom: start - mark.length,
      selectTo: end - mark.length,
    };
  }
  if (selected.length > 2 * mark.length && selected.startsWith(mark) && selected.endsWith(mark)) {
    const bare = selected.slice(mark.length, -mark.length);
    return { from: start, to: end, insert: bare, selectFrom: start, selectTo: start + bare.length };
  }
  const inner = (selected || placeholder).replaceAll(/[ \t]*\n[ \t]*\n\s*/g, (gap) => mark + gap + mark);
  return {
    from: start,
    to: end,
    insert: mark + inner + mark,
    selectFrom: start + mark.length,
    selectTo: start + mark.length + inner.length,
  };
}

/** Prefixes each selected line, or removes the prefix if all lines have it. */
export function toggleLines(passage: Passage, kind: LineKind): Edit {
  const { from, to } = wholeLines(passage);
  const lines = passage.text.slice(from, to).split('\n');
  const filled = lines.filter((line) => line.trim() !== '');
  const already = filled.length > 0 && filled.every((line) => LINE_KINDS[kind].test.test(line));
  let number = 0;
  const insert = lines
    .map((line) => {
      if (line.trim() === '' && lines.length > 1) return line;
      const bare = line.replace(ANY_LINE_PREFIX, '');
      number += 1;
      return already ? bare : LINE_KINDS[kind].prefix(number) + bare;
    })
    .join('\n');
  const caretOnly = passage.start === passage.end;
  return { from, to, insert, selectFrom: caretOnly ? from + insert.length : from, selectTo: from + insert.length };
}

export type LineKind = 'heading' | 'subheading' | 'bullets' | 'numbers' | 'tasks' | 'quote';

const LINE_KINDS: Record<LineKind, { test: RegExp; prefix: (number: number) => string }> = {
  heading: { test: /^## /, prefix: () => '## ' },
  subheading: { test: /^### /, prefix: () => '### ' },
  bullets: { test: /^[-*] (?!\[[ xX]\] )/, prefix: () => '- ' },
  numbers: { test: /^\d+\. /, prefix: (number) => `${number}. ` },
  tasks: { test: /^[-*] \[[ xX]\] /, prefix: () => '- [ ] ' },
  quote: { test: /^> /, prefix: () => '> ' },
};
const ANY_LINE_PREFIX = /^(#{1,6} |[-*] (?:\[[ xX]\] )?|\d+\. |> )/;

/** Link being edited: text, URL, and position. */
export interface LinkDraft {
  words: string;
  address: string;
  from: number;
  to: number;
}

/** Returns the link at the selection, or a new one from the selected text. */
export function linkAt({ text, start, end }: Passage): LinkDraft {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = text.indexOf('\n', end);
  const line = text.slice(lineStart, lineEnd === -1 ? text.length : lineEnd);
  for (const match of line.matchAll(/(?<!!)\[((?:[^\]\\]|\\.)*)\]\(([^\s()]*)\)/g)) {
    const from = lineStart + match.index;
    const to = from + match[0].length;
    if (from <= start && end <= to) return { words: match[1] ?? '', address: match[2] ?? '', from, to };
  }
  const selected = text.slice(start, end);
  const isAddress = /^https?:\/\/\S+$/.test(selected);
  return { words: isAddress ? '' : selected, address: isAddress ? selected : '', from: start, to: end };
}

/** Writes the link at its original position. */
export function writeLink({ words, address, from, to }: LinkDraft): Edit {
  const target = address.replace(/[\s()<>]/g, (sign) =>
    encodeURIComponent(sign).replace('(', '%28').replace(')', '%29'),
  );
  const insert = `[${words || address}](${target})`;
  return { from, to, insert, selectFrom: from + insert.length, selectTo: from + insert.length };
}

/** Turns selected words into a link to a pasted URL, or replaces a selected URL. Null for a normal paste. */
export function linkPasted({ text, start, end }: Passage, pasted: string): Edit | null {
  const words = text.slice(start, end);
  if (words === '' || words.includes('\n') || /^https?:\/\/\S*$/.test(words) || !/^https?:\/\/\S+$/.test(pasted))
    return null;
  const insert = `[${words}](${pasted})`;
  return { from: start, to: end, insert, selectFrom: start + insert.length, selectTo: start + insert.length };
}

/** Fences the selected lines as a code block. */
export function makeCodeBlock(passage: Passage): Edit {
  const { from, to } = wholeLines(passage);
  const code = passage.text.slice(from, to);
  return {
    from,
    to,
    insert: `\`\`\`\n${code}\n\`\`\``,
    selectFrom: from + 4,
    selectTo: from + 4 + code.length,
  };
}

/** Inserts a block, such as a picture, on its own lines. */
export function insertBlock({ text, start, end }: Passage, block: string): Edit {
  const before = text.slice(0, start);
  const after = text.slice(end);
  const lead = before === '' || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n';
  const tail = after === '' || after.startsWith('\n\n') ? '' : after.startsWith('\n') ? '\n' : '\n\n';
  const caret = start + lead.length + block.length;
  return { from: start, to: end, insert: lead + block + tail, selectFrom: caret, selectTo: caret };
}

/** Inserts a block on its own lines and selects a part of it as a placeholder. */
export function insertDraft(passage: Passage, block: string, selected: string): Edit {
  const edit = insertBlock(passage, block);
  const from = edit.from + edit.insert.indexOf(selected);
  return { ...edit, selectFrom: from, selectTo: from + selected.length };
}

/** Turns the selected lines into a callout. */
export function makeCallout(passage: Passage): Edit {
  const { from, to } = wholeLines(passage);
  const lines = passage.text.slice(from, to).split('\n');
  const insert = ['[!NOTE]', ...lines].map((line) => `> ${line}`).join('\n');
  return { from, to, insert, selectFrom: from + insert.length, selectTo: from + insert.length };
}

/** Inserts a footnote reference after the selection and a selected note below the paragraph. */
export function insertFootnote({ text, end }: Passage): Edit {
  const numbers = [...text.matchAll(/\[\^(\d{1,4})\]/g)].map(([, number]) => Number(number));
  const reference = `[^${numbers.reduce((highest, number) => Math.max(highest, number), 0) + 1}]`;
  const blockEnd = text.indexOf('\n\n', end);
  const to = blockEnd === -1 ? text.length : blockEnd;
  const lead = `${reference}${text.slice(end, to).trimEnd()}\n\n${reference}: `;
  const note = 'Footnote';
  const selectFrom = end + lead.length;
  return { from: end, to, insert: lead + note, selectFrom, selectTo: selectFrom + note.length };
}

/** Removes the typed command search from an edit's source text. */
export function withoutRange(edit: Edit, from: number, to: number): Edit {
  return { ...edit, to: Math.max(edit.to, from) + to - from };
}

/** Sets the alt text of all occurrences of a picture. Null if not found. */
export function describePicture(text: string, address: string, alt: string): Edit | null {
  const words = alt
    .replace(/\s+/g, ' ')
    .replace(/[[\]\\]/g, '\\$&')
    .trim();
  return rewritePictures(text, address, () => `![${words}](${address})`);
}

/** Changes the URL of a picture, or removes the picture if it is ''. Null if not found. */
export function movePicture(text: string, address: string, to: string): Edit | null {
  return rewritePictures(text, address, (alt) => (to ? `![${alt}](${to})` : ''));
}

function rewritePictures(text: string, address: string, write: (alt: string) => string): Edit | null {
  const literal = address.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const picture = new RegExp(`!\\[((?:[^\\]\\\\]|\\\\.)*)\\]\\(${literal}\\)`, 'g');
  const found = [...text.matchAll(picture)];
  const [first, last] = [found[0], found.at(-1)];
  if (!first || !last) return null;
  const to = last.index + last[0].length;
  const insert = text.slice(first.index, to).replace(picture, (_, alt: string) => write(alt));
  return { from: first.index, to, insert, selectFrom: first.index, selectTo: first.index };
}

/** Continues a list or quote on Enter, or ends it on an empty item. Null for a normal line break. */
export function continueList({ text, start, end }: Passage): Edit | null {
  if (start !== end) return null;
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const line = text.slice(lineStart, start);
  const match = /^(\s*)([-*] (?:\[[ xX]\] )?|(\d+)\. |> )(.*)$/.exec(line);
  if (!match) return null;
  const [, indent = '', marker = '', number, rest = ''] = match;
  if (rest.trim() === '') return { from: lineStart, to: start, insert: '', selectFrom: lineStart, selectTo: lineStart };
  const next = `\n${indent}${number ? `${Number(number) + 1}. ` : marker.replace(/[xX]/, ' ')}`;
  return { from: start, to: start, insert: next, selectFrom: start + next.length, selectTo: start + next.length };
}

/** Applies an edit without a browser. */
export function applyEdit(text: string, edit: Edit): string {
  return text.slice(0, edit.from) + edit.insert + text.slice(edit.to);
}

function wholeLines({ text, start, end }: Passage): { from: number; to: number } {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  // A selection that ends right after a line break excludes the next line.
  const last = end > start && text[end - 1] === '\n' ? end - 1 : end;
  const lineEnd = text.indexOf('\n', last);
  return { from, to: lineEnd === -1 ? text.length : lineEnd };
}
