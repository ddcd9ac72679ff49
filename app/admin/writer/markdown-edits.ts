/** What the writer's buttons and shortcuts do to a text, as pure edits: the text area applies them so that undo works. */

/** A text and what is selected in it; start equals end when there is only a caret. */
export interface Passage {
  text: string;
  start: number;
  end: number;
}

/** Replace from..to by insert, then select selectFrom..selectTo of the result. */
export interface Edit {
  from: number;
  to: number;
  insert: string;
  selectFrom: number;
  selectTo: number;
}

/** Puts a mark such as ** around the selection, or takes it away where it already stands. */
export function toggleMark({ text, start, end }: Passage, mark: string, placeholder: string): Edit {
  const selected = text.slice(start, end);
  const outside = text.slice(start - mark.length, start) === mark && text.slice(end, end + mark.length) === mark;
  // A single * beside another one belongs to **, so it is not the mark asked for.
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
  const inner = selected || placeholder;
  return {
    from: start,
    to: end,
    insert: mark + inner + mark,
    selectFrom: start + mark.length,
    selectTo: start + mark.length + inner.length,
  };
}

/** Starts each selected line with a prefix, or removes it when every line already has it. */
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

export type LineKind = 'heading' | 'subheading' | 'bullets' | 'numbers' | 'quote';

const LINE_KINDS: Record<LineKind, { test: RegExp; prefix: (number: number) => string }> = {
  heading: { test: /^## /, prefix: () => '## ' },
  subheading: { test: /^### /, prefix: () => '### ' },
  bullets: { test: /^[-*] /, prefix: () => '- ' },
  numbers: { test: /^\d+\. /, prefix: (number) => `${number}. ` },
  quote: { test: /^> /, prefix: () => '> ' },
};
const ANY_LINE_PREFIX = /^(#{1,6} |[-*] |\d+\. |> )/;

/** Makes the selection a link; a selected address becomes the target, and what is still missing gets selected. */
export function makeLink({ text, start, end }: Passage): Edit {
  const selected = text.slice(start, end);
  if (/^https?:\/\/\S+$/.test(selected)) {
    return { from: start, to: end, insert: `[link text](${selected})`, selectFrom: start + 1, selectTo: start + 10 };
  }
  const label = selected || 'link text';
  const target = start + label.length + 3;
  return {
    from: start,
    to: end,
    insert: `[${label}](https://)`,
    selectFrom: selected ? target : start + 1,
    selectTo: selected ? target + 'https://'.length : start + 1 + label.length,
  };
}

/** An address pasted over selected words makes them a link, over an address takes its place. Null: an ordinary paste. */
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

/** Puts a block, for example a picture, on lines of its own at the selection. */
export function insertBlock({ text, start, end }: Passage, block: string): Edit {
  const before = text.slice(0, start);
  const after = text.slice(end);
  const lead = before === '' || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n';
  const tail = after === '' || after.startsWith('\n\n') ? '' : after.startsWith('\n') ? '\n' : '\n\n';
  const caret = start + lead.length + block.length;
  return { from: start, to: end, insert: lead + block + tail, selectFrom: caret, selectTo: caret };
}

/** Enter inside a list or quote continues it; on an empty entry it ends it. Null: Enter is an ordinary line break. */
export function continueList({ text, start, end }: Passage): Edit | null {
  if (start !== end) return null;
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const line = text.slice(lineStart, start);
  const match = /^(\s*)([-*] |(\d+)\. |> )(.*)$/.exec(line);
  if (!match) return null;
  const [, indent = '', marker = '', number, rest = ''] = match;
  if (rest.trim() === '') return { from: lineStart, to: start, insert: '', selectFrom: lineStart, selectTo: lineStart };
  const next = `\n${indent}${number ? `${Number(number) + 1}. ` : marker}`;
  return { from: start, to: start, insert: next, selectFrom: start + next.length, selectTo: start + next.length };
}

/** The text after an edit; what the browser makes of it, for tests and for places without a text area. */
export function applyEdit(text: string, edit: Edit): string {
  return text.slice(0, edit.from) + edit.insert + text.slice(edit.to);
}

function wholeLines({ text, start, end }: Passage): { from: number; to: number } {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  // A selection that ends right after a line break does not include the next line.
  const last = end > start && text[end - 1] === '\n' ? end - 1 : end;
  const lineEnd = text.indexOf('\n', last);
  return { from, to: lineEnd === -1 ? text.length : lineEnd };
}
