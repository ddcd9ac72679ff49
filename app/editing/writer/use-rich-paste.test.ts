import { expect, it } from 'vitest';
import { applyEdit } from './markdown-edits.ts';
import { replacement } from './use-rich-paste.ts';

it.each([
  ['words within a line', 'see | now', 'bold', '**bold**', 'see **bold** now'],
  ['words in place of others', 'see |these| now', 'bold', '**bold**', 'see **bold** now'],
  ['a paragraph with its line break', 'see |', 'bold\n', '**bold**', 'see **bold**\n'],
  ['blocks on lines of their own', 'before| after', 'a\nb', '- a\n- b', 'before\n\n- a\n- b\n\n after'],
])('puts %s where the plain text went', (_, marked, plain, markdown, after) => {
  const start = marked.indexOf('|');
  const text = marked.replaceAll('|', '');
  const end = Math.max(start, marked.lastIndexOf('|') - 1);
  const edit = replacement({ text, start, end: marked.lastIndexOf('|') === start ? start : end }, plain, markdown);
  const pasted = text.slice(0, start) + plain + text.slice(marked.lastIndexOf('|') === start ? start : end);
  expect(applyEdit(pasted, edit)).toBe(after);
});
